"""Population: who beats whom, among people and agents, and what follows from it."""
