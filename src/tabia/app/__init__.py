"""App: configuration, the plan that Snakemake reads, and the command line."""
