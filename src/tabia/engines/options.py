"""UCI options as an engine announces them, and whether a value fits."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tabia.engines.errors import EngineConfigError

__all__ = ["EngineOption", "find_option", "named_by_content", "parse_option"]

_OPTION = re.compile(
    r"option name (?P<name>.+?) type (?P<kind>check|spin|combo|button|string)(?P<rest>.*)"
)
_WHOLE = re.compile(r"-?\d{1,18}")  # Python refuses to read thousands of digits
_OPTION_WORD = re.compile(r"\b(default|min|max|var)\b")


@dataclass(frozen=True)
class EngineOption:
    """An option as the engine announced it."""

    name: str
    kind: str
    default: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


def parse_option(line: str) -> EngineOption | None:
    """Return the option that an ``option name …`` line announces, None for any other line."""
    found = _OPTION.fullmatch(line.strip())
    if found is None:
        return None
    values: dict[str, list[str]] = {"default": [], "min": [], "max": [], "var": []}
    parts = _OPTION_WORD.split(found["rest"])
    for key, value in zip(parts[1::2], parts[2::2], strict=True):
        values[key].append(value.strip())
    numbers = {
        key: int(values[key][0]) if values[key] and _WHOLE.fullmatch(values[key][0]) else None
        for key in ("min", "max")
    }
    return EngineOption(
        name=found["name"],
        kind=found["kind"],
        default=(values["default"] or [""])[0],
        low=numbers["min"],
        high=numbers["max"],
        choices=tuple(values["var"]),
    )


def find_option(
    who: str, announced: Mapping[str, EngineOption], name: str, value: str | int | bool
) -> EngineOption:
    """Return the option `name` of engine `who` if `value` fits it.

    `announced` is keyed by lower-case name: UCI names are not case-sensitive.

    Raises
    ------
    EngineConfigError
        Naming the option and what the engine would take.
    """
    option = announced.get(name.lower())
    if option is None:
        close = difflib.get_close_matches(name.lower(), announced, n=1)
        hint = f"; did you mean {announced[close[0]].name!r}?" if close else "."
        names = ", ".join(sorted(item.name for item in announced.values()))
        raise EngineConfigError(f"{who} has no option {name!r}{hint} It has: {names}")
    fits = {
        "check": isinstance(value, bool) or str(value).lower() in ("true", "false"),
        "spin": not isinstance(value, bool) and _WHOLE.fullmatch(str(value)) is not None,
        "combo": not isinstance(value, bool) and str(value) in option.choices,
        "button": False,
        "string": isinstance(value, str) and "\n" not in value,
    }[option.kind]
    if fits and option.kind == "spin":
        low, high = option.low, option.high
        fits = (low is None or int(value) >= low) and (high is None or int(value) <= high)
    if not fits:
        takes = {
            "check": "true or false",
            "spin": f"a whole number from {option.low} to {option.high}",
            "combo": "one of " + ", ".join(option.choices),
            "button": "no value and changes nothing that lasts",
            "string": "one line of text",
        }[option.kind]
        raise EngineConfigError(f"{who}: option {option.name} takes {takes}, not {value!r}")
    return option


def named_by_content(value: str | int | bool) -> str | int | bool:
    """Return an option's value for the record: a file by name and hash, never by its path."""
    if isinstance(value, str) and "/" in value:
        path = Path(value).expanduser()
        if path.is_file():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
            return f"{path.name} sha256:{digest}"
        if path.is_dir():
            return path.name
    return value
