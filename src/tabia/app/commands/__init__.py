"""Commands for people: one module each, plain functions that the command line registers."""
