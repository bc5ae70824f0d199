"""Imitation: predicting the moves that people of a given Elo play."""
