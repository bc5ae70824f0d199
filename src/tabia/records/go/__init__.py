"""Go records: Smart Game Format (SGF) in and out."""
