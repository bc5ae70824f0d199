"""Models of a position's value, one a module; see :mod:`tabia.learning.model` for the contract."""
