"""Xiangqi game records: what a file may hold, a module a format."""
