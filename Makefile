# Shortcuts for developers. Users need only ./run and ./test.
export PATH := $(CURDIR)/.venv/bin:$(PATH):/usr/games

.PHONY: help build lint format bench docs config-docs unlock clean
help:  ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/'
build:  ## rebuild the native core if its sources changed
	@./setup test
lint:  ## all static checks
	ruff check . && ruff format --check . && mypy && lint-imports --no-cache && snakefmt --check --no-format-shell Snakefile rules && snakemake --lint
format:  ## format Python and Snakemake files
	ruff check --fix . && ruff format . && snakefmt --no-format-shell Snakefile rules
bench:  ## speed beside peers (docs/benchmarks.md)
	for script in ingest labels terms rbf levenberg_marquardt evaluate xiangqi xiangqi_notation xiangqi_referee xiangqi_ingest go go_ingest imitation_training mcts nets search_net small_device; do python benchmarks/$$script.py || exit; done
config-docs:  ## regenerate config/README.md and workflow/schemas/config.schema.json
	tabia config-docs
docs:  ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict
unlock:  ## remove the lock of a killed snakemake
	snakemake --unlock
clean:  ## remove build products, not results
	rm -rf build site .pytest_cache .mypy_cache .ruff_cache
