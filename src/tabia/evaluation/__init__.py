"""Evaluation: the value of a chess position, learned from engine labels."""
