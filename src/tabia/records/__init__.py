"""Records: game files in, the games and rejects tables out; Elo bins, splits, positions."""
