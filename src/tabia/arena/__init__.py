"""The arena: every agent by its spec string."""
