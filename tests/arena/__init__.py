"""Tests of tabia.arena."""
