"""Matches: agents, paired games under the rules of each game, and Elo differences."""
