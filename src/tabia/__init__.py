"""tabia: from game records to evaluators, imitators, ratings and tables."""
