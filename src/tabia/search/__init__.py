"""Search: Monte Carlo tree search over the native core, for chess, xiangqi and Go."""
