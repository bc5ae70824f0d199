"""Tables: what jobs exchange. Schemas, specs, atomic Parquet, result tables, the database."""
