"""``tabia check-config``: every fault of a configuration at once, or what it would run."""

from __future__ import annotations

import json
from pathlib import Path

from tabia.app.config import ConfigError, read
from tabia.app.plan import Plan
from tabia.records.config import Source
from tabia.records.opening import CorruptFileError, GameFileError, Member, members
from tabia.records.xiangqi.sniffing import TABLES, table_of

__all__ = ["check_config"]

_HEAD = 4096  # bytes of a file that its first line is looked for in


def check_config(file: Path, *, as_json: bool) -> None:
    """Print what the configuration in `file` would run.

    Raises
    ------
    ConfigError
        With every fault, each with its path in the file.

    Notes
    -----
    Files of headers are looked into here and not in every dry run: they may be packed.
    """
    plan = Plan.of(read(file), name=str(file))
    if faults := [fault for source in plan.config.sources for fault in _faults(source)]:
        raise ConfigError("\n".join([f"{file}: sources that cannot be read", *faults]))
    evaluation = plan.config.evaluation
    facts = {
        "file": str(file),
        "sources": [
            {
                "name": source.name,
                "game": source.game,
                "files": len(plan.files(source)),
                "shards": source.shards,
                "played_by": source.played_by,
            }
            for source in plan.config.sources
        ],
        "chapters": plan.chapters(),
        "labels": None
        if evaluation is None
        else {
            "engine": evaluation.labels.engine.command,
            "inputs": list(evaluation.labels.inputs),
            "target": evaluation.labels.target.text,
            "repeatable": evaluation.labels.target.repeatable,
            "positions": evaluation.sample.positions,
        },
        "trainings": len(plan.runs("scores")),
        "imitation": {game: plan.imitation.sizes(game) for game in plan.imitation.games()},
        "search": {name: plan.search.sizes(name) for name in plan.search.learners()},
    }
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    print(f"{file}: good")
    for source in plan.config.sources:
        count = len(plan.files(source))
        facts_of = f"{source.game}, {count} files, {source.shards} shards, {source.played_by}"
        print(f"  source {source.name}: {facts_of}")
    if evaluation is not None:
        labels = evaluation.labels
        depths = ", ".join(map(str, labels.inputs))
        print(f"  labels: {labels.engine.command}, {labels.target.text}, depths {depths}")
        if not labels.target.repeatable:
            print("  note: labels made by the clock do not repeat")
    if evaluation is not None:
        print(f"  trainings: {len(plan.runs('scores'))}")
    for game in plan.imitation.games():
        sizes = ", ".join(f"{count} {name}" for name, count in plan.imitation.sizes(game).items())
        print(f"  imitation of {game}: {sizes}")
    for name in plan.search.learners():
        sizes = ", ".join(f"{count} {what}" for what, count in plan.search.sizes(name).items())
        print(f"  search, {name} at {plan.search.of(name).rules.game}: {sizes}")


def _faults(source: Source) -> list[str]:
    """Say what is wrong with the first line of a source's file of headers, if anything."""
    if source.headers is None:
        return []
    where = f"  source {source.name}: headers {source.headers}"
    try:
        heads = [head for member in members(Path(source.headers)) if (head := _head(member))]
    except (GameFileError, CorruptFileError) as error:
        return [f"{where}: {error}"]
    if len(heads) != 1:
        held = f"an archive of {len(heads)} files" if heads else "an empty file"
        return [f"{where}: {held}; name one table of headers"]
    (head,) = heads
    found = table_of(head)
    if found == "headers":
        return []
    what = "PlayOK's table of moves" if found == "moves" else f"begins with {head[:60]!r}"
    columns = ", ".join(TABLES["headers"])
    return [f"{where}: {what}; its first line must name the columns {columns}"]


def _head(member: Member) -> bytes:
    """Return the first bytes of a file, more than a line; none if it is blank."""
    head = b""
    for chunk in member.chunks:
        head += chunk
        if len(head) >= _HEAD:
            break
    return head if head.strip() else b""
