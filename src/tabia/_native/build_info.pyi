SOURCE_HASH: str
"""SHA-256 of the native sources at build time, as `src/native/source_hash.py` computes it."""
