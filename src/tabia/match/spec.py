r"""Spec strings: one line of text that says which agent plays, and how.

::

    HEAD
    HEAD:KEY=VALUE,KEY=VALUE
    HEAD:TARGET                          heads that need one: a folder, for instance
    HEAD:TARGET:KEY=VALUE,KEY=VALUE

Settings stand after the last colon; a target that has colons itself ends with one. ``\,`` is a
comma within a value. ``option.NAME=VALUE`` hands an option on to an engine; the name may have
blanks. Which heads there are is not known here (`tabia.arena.registry` has the table), which
settings they take is known to their builders.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import ValidationError

from tabia.match.agent import AgentError
from tabia.tables.settings import Settings

__all__ = ["AgentSpec", "AgentSpecError", "parse_spec", "suggestion"]

_COMMA = re.compile(r"(?<!\\),")
_OPTION = "option."
_SettingsT = TypeVar("_SettingsT", bound=Settings)


class AgentSpecError(AgentError):
    """A spec string that says no agent, with everything that is wrong with it.

    Attributes
    ----------
    text
        The string.
    faults
        One sentence each.
    """

    def __init__(self, text: str, faults: Iterable[str]) -> None:
        self.text = text
        self.faults = tuple(faults)
        super().__init__("\n".join(f"agent {text!r}: {fault}" for fault in self.faults))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.text, self.faults)


@dataclass(frozen=True)
class AgentSpec:
    """A spec string taken apart, for a builder.

    Attributes
    ----------
    text
        The whole string.
    game
        What shall be played: chess, xiangqi, go.
    head
        Before the first colon.
    target
        What the head is about, a model's folder for instance; None for heads without.
    settings, options
        Values as written, by key; `options` are those of ``option.NAME=VALUE``.
    """

    text: str
    game: str
    head: str
    target: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def read(self, model: type[_SettingsT], *, takes_options: bool = False) -> _SettingsT:
        """Return the settings as `model` has them.

        Raises
        ------
        AgentSpecError
            With all that do not fit: unknown keys, missing ones, wrong values.
        """
        faults = []
        if self.options and not takes_options:
            faults.append(f"{self.head} takes no {_OPTION}… settings; it is no engine")
        try:
            read = model.model_validate(dict(self.settings))
        except ValidationError as error:
            known = list(model.model_fields)
            for item in error.errors():
                key = ".".join(map(str, item["loc"]))
                if item["type"] == "extra_forbidden":
                    faults.append(f"no setting {key!r}{suggestion(key, known)}")
                elif item["type"] == "missing":
                    faults.append(f"needs {key}=…")
                else:
                    said = item["msg"].removeprefix("Value error, ")
                    faults.append(f"{key}={item['input']}: {said}" if key else said)
            raise AgentSpecError(self.text, faults) from error
        if faults:
            raise AgentSpecError(self.text, faults)
        return read


def parse_spec(text: str, game: str, targets: Mapping[str, str | None]) -> AgentSpec:
    """Take a spec string apart.

    Parameters
    ----------
    text
        ``stockfish:elo=1500,nodes=1000``.
    game
        What shall be played.
    targets
        By known head, what its target is called; None for heads without one.

    Raises
    ------
    AgentSpecError
        With everything that is wrong: an unknown head, a missing target, settings that are none or
        are given twice.
    """
    head, _, rest = text.strip().partition(":")
    if head not in targets:
        raise AgentSpecError(text, [f"no agent {head!r}{suggestion(head, sorted(targets))}"])
    target: str | None = None
    faults: list[str] = []
    if (wanted := targets[head]) is not None:
        if ":" in rest:
            target, _, rest = rest.rpartition(":")
        else:
            target, rest = rest, ""
        if not target:
            faults.append(f"needs {wanted}: {head}:{wanted.upper().replace(' ', '_')}:key=value,…")
    settings: dict[str, str] = {}
    options: dict[str, str] = {}
    for part in _COMMA.split(rest) if rest else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key or not value:
            faults.append(f"{part!r} is no setting; write key=value, with commas between")
            continue
        store, name = settings, key
        if key.startswith(_OPTION):
            store, name = options, key.removeprefix(_OPTION).strip()
            if not name:
                faults.append(f"{part!r} names no option")
                continue
        if name.lower() in map(str.lower, store):  # UCI knows no difference between a and A
            faults.append(f"{key} is given twice")
        store[name] = value.replace("\\,", ",")
    if faults:
        raise AgentSpecError(text, faults)
    return AgentSpec(text.strip(), game, head, target, settings, options)


def suggestion(word: str, known: list[str]) -> str:
    """``; did you mean 'elo'?`` if a known word is close, else all that are known."""
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(known)}" if known else "; there are none"
