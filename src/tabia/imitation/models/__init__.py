"""Models of people's moves, one a module; see :mod:`tabia.imitation.policy` for the contract."""
