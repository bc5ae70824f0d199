"""Learning: datasets, metrics with intervals."""
