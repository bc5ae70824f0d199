"""Report: figures, sortable tables and pages. Reads tables; imports no chapter."""
