"""The configuration: the rooms' sections put together, read and checked.

All errors are reported at once, each with its path in the YAML file, the value found and, for
a misspelt key, the key that was probably meant. Standard library, yaml and pydantic only.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError, model_validator

from tabia.evaluation.config import Evaluation
from tabia.imitation.config import Imitation
from tabia.records.config import Records, Source
from tabia.report.config import Report
from tabia.search.learning_config import Search
from tabia.tables.settings import Settings

__all__ = ["Config", "ConfigError", "load", "missing", "parse", "read"]


class Config(Settings):
    """What a run does: game files, chapters, report. Machines belong in profiles."""

    records: Records | None = None
    """Game files in; games, rejects, splits and positions out. Players that teach themselves need
    none."""
    evaluation: Evaluation | None = None
    """The value of a chess position, learned from engine labels."""
    imitation: Imitation | None = None
    """The moves of rated people, predicted by Elo."""
    search: Search | None = None
    """Players that teach themselves by self-play."""
    report: Report = Report()
    """Figures, tables and pages."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of records; none without the section."""
        return () if self.records is None else self.records.sources

    @model_validator(mode="after")
    def _something_to_read(self) -> Config:
        if self.records is not None:
            return self
        reading = [name for name in ("evaluation", "imitation") if getattr(self, name) is not None]
        if reading:
            raise ValueError(
                f"{' and '.join(reading)}: there are no records to learn from; add a section"
                " records with sources, the game files"
            )
        if self.search is None:
            raise ValueError(
                "nothing to do; add a section records with sources, the game files, or a section"
                " search with learners, which need no records"
            )
        return self

    @model_validator(mode="after")
    def _chess_to_evaluate(self) -> Config:
        games = {source.game for source in self.sources}
        if self.records and self.evaluation is not None and "chess" not in games:
            raise ValueError(
                "evaluation is about chess positions and no source has game: chess; add one to "
                "records.sources or leave the section evaluation out"
            )
        return self


class ConfigError(ValueError):
    """A configuration that cannot be run; the message lists every fault."""

    exit_code = 2


def missing(config: Config, chapter: str) -> ConfigError:
    """Return the error of a chapter that reads records and that is asked for without its section.

    Parameters
    ----------
    config
        A checked configuration.
    chapter
        Key of the section.
    """
    more = "" if config.records else ", and a section records with sources, the game files"
    return ConfigError(
        f"config: {chapter}: missing, so the {chapter} chapter cannot run; add the section{more}"
    )


def load(path: Path) -> Config:
    """Read and check a YAML file.

    Raises
    ------
    ConfigError
        With every fault found, or saying why the file cannot be read.
    """
    return parse(read(path), name=str(path))


class _Loader(yaml.SafeLoader):
    """Refuses a key that is given twice: YAML would silently take the last.

    Keys that a mapping takes in from another (``<<``) may be given again.
    """

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        # Looked at here, because what is taken in becomes the mapping's own on construction.
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = key_node.value
            if key_node.tag == "tag:yaml.org,2002:str" and key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"key {key!r} is given twice", problem_mark=key_node.start_mark
                )
            if isinstance(key, str):
                seen.add(key)
        return node


def read(path: Path) -> Mapping[str, Any]:
    """Read a YAML file; its sections are not checked yet.

    Raises
    ------
    ConfigError
        Saying why the file cannot be read.
    """
    try:
        raw = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # a SafeLoader
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8: {error}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {error}") from error
    if not isinstance(raw, Mapping):
        raise ConfigError(f"{path}: expected sections such as `records:`, found {raw!r:.80}")
    return raw


def parse(raw: Mapping[str, Any], *, name: str = "config") -> Config:
    """Check a configuration that is already read; `name` leads the error message."""
    try:
        return Config.model_validate(raw)
    except ValidationError as error:
        # A list whose items all have faults of their own also counts as too short; say it once.
        lines = [
            _explain(fault, raw)
            for fault in error.errors()
            if not (fault["type"] == "too_short" and _value(raw, fault["loc"]))
        ]
    count = f"{len(lines)} error" + ("s" if len(lines) > 1 else "")
    raise ConfigError("\n".join([f"{name}: {count} in the configuration", *lines]))


def _explain(fault: Mapping[str, Any], raw: Mapping[str, Any]) -> str:
    where = _place(fault["loc"], raw)
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in where).lstrip(".")
    if fault["type"] == "extra_forbidden":
        known = _keys(where[:-1])
        close = difflib.get_close_matches(str(where[-1]), known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known keys: {', '.join(known) or 'none'}"
        return f"  {path or 'top level'}: unknown key; {hint}"
    if fault["type"] == "missing":
        return f"  {path}: missing"
    found = _value(raw, where)
    message = str(fault["msg"]).removeprefix("Value error, ").replace("valid tuple", "list")
    shown = "" if isinstance(found, Mapping | list) else f" (found {found!r:.60})"
    return f"  {path or 'top level'}: {message}{shown}"


def _place(loc: Sequence[str | int], raw: object) -> list[str | int]:
    """Keys of a fault as they stand in the file, without what the checks say of themselves."""
    where: list[str | int] = []
    for part in loc:
        of_check = str(part).startswith("function-")
        # Where the value of one key decides which others there are, that value follows the path.
        decides = isinstance(raw, Mapping) and part not in raw and part in raw.values()
        if not of_check and not decides:
            where.append(part)
            raw = _value(raw, [part])
    return where


def _value(raw: object, where: Sequence[str | int]) -> object:
    for part in where:
        if isinstance(raw, Mapping):
            raw = raw.get(part)
        elif isinstance(raw, list) and isinstance(part, int) and part < len(raw):
            raw = raw[part]
        else:
            return None
    return raw


def _keys(where: Sequence[str | int]) -> list[str]:
    """Keys allowed at a path, found by walking the models."""
    models: list[type[BaseModel]] = [Config]
    for part in where:
        having = [model for model in models if part in model.model_fields]
        if having:  # else it is a number in a list, or a name that the user gave
            models = [
                inner
                for model in having
                for inner in _models(model.model_fields[str(part)].annotation)
            ]
    return sorted({key for model in models for key in model.model_fields})


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models(argument)]
