"""Rules, notation and move codecs of the games, behind one contract."""
