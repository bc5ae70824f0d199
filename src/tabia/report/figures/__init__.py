"""The report's figures: one module each, with ``chart(inputs) -> altair chart``."""
