"""How the rules give lists of files to subcommands."""

from __future__ import annotations

import re

from tests.app.test_plan import ROOT

RULE = re.compile(r"^rule (\w+):$(.*?)(?=^rule |\Z)", re.M | re.S)
OPTION = re.compile(r"--([a-z-]+) \{params\.(?!spec:)")

# Each of these has a file in every run: a source has a shard, a game a bucket, a phase a candidate.
NEVER_EMPTY = {
    "evaluation_dataset": ["labels", "rejects"],
    "evaluation_sample": ["positions"],
    "imitation_phase": ["candidates"],
    "imitation_samples": ["games"],
    "imitation_scores": ["predictions"],
    "records_positions": ["occurrences"],
    "records_summary": ["counts", "games", "splits", "leaks"],
}


def test_a_list_that_may_be_empty_does_not_swallow_the_next_word() -> None:
    # Snakemake makes nothing of an empty string: `--wide 2> log` has no argument, `--wide=` has.
    apart = {
        rule: options
        for file in sorted((ROOT / "rules").glob("*.smk"))
        for rule, text in RULE.findall(file.read_text(encoding="utf-8"))
        if (options := OPTION.findall(text))
    }
    assert apart == NEVER_EMPTY
