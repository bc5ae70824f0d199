"""Bindings of the native core: one small module a subject, imported by its full name."""
