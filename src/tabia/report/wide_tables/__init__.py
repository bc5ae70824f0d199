"""Wide tables: result tables side by side, as people read and quote them."""
