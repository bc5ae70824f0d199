"""Reports of ``tabia evaluate`` for people, readable at 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

__all__ = ["show"]

_INDENT = 8  # of what follows a label


def show(report: Mapping[str, Any]) -> None:
    """Print one report; see :mod:`tabia.app.commands.evaluate_report` for its keys."""
    console = Console(highlight=False)
    with console.capture() as text:
        _write(console, report)
    print(text.get(), end="")  # rich itself would end the program with 1 where a pipe breaks


def _write(console: Console, report: Mapping[str, Any]) -> None:
    # Never broken, so that it can be copied.
    console.print(Text(report["fen"], style="bold"), soft_wrap=True)
    for label, text, style in _facts(report):
        first = f"{label:<{_INDENT}}"
        lines = textwrap.wrap(text, max(console.width, 40) - _INDENT)
        for line in lines:
            console.print(Text.assemble(first, (line, style)), soft_wrap=True)
            first = " " * _INDENT
    if explanation := report["explanation"]:
        limits = [score["limit"] for score in report["engine_inputs"]]
        _show_effects(console, explanation, limits)
        if explanation["spheres"]:
            _show_spheres(console, explanation["spheres"])
        if explanation["neighbours"]:
            _show_neighbours(console, explanation["neighbours"])


def _facts(report: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield label, text and style of the lines above the explanation."""
    side = report["side_to_move"].capitalize()
    yield "", f"{side} to move, phase {report['phase']} (128 opening, 0 endgame)", ""
    yield "value", _value(report), "bold"
    if report["result"] is None:
        yield "model", _model(report["model"]), ""
        for score in report["engine_inputs"]:
            yield "", f"given the engine's {_score(score)} at {score['limit']}", ""
        if engine := report["engine"]:
            yield "engine", _engine(engine), ""
    for note in report["notes"]:
        yield "note", note["text"], "yellow"


def _value(report: Mapping[str, Any]) -> str:
    if report["result"] is not None:
        return f"{report['result']}, the game is over"
    if report["value"] is None:
        return "none"
    return f"{report['value']:+.2f} pawns, White's view"


def _model(model: Mapping[str, Any]) -> str:
    text = (
        f"{model['name']}, scenario {model['scenario']}, filter {model['filter']},"
        f" seed {model['seed']}"
    )
    if model["test_mae"] is None:
        return f"{text}; its error was not measured"
    return (
        f"{text}; off by {model['test_mae']:.2f} pawns on average"
        f" (test MAE, {model['test_positions']:,} positions of {model['test_games']:,} games)"
    )


def _engine(engine: Mapping[str, Any]) -> str:
    named = f"{engine['name']} {engine['version']}".strip()
    return f"{_score(engine)}, {named} at {engine['limit']}, best move {engine['move']}"


def _score(score: Mapping[str, Any]) -> str:
    mate = score["mate"]
    if mate is None:
        return "no value" if score["pawns"] is None else f"{score['pawns']:+.2f} pawns"
    return f"mate in {abs(mate)} for {'White' if mate > 0 else 'Black'}"


def _show_effects(console: Console, explanation: Mapping[str, Any], limits: Sequence[str]) -> None:
    names = {f"input_{number}": f"the engine, {limit}" for number, limit in enumerate(limits, 1)}
    others = explanation["other_effects"]
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("what moved the value")
    for name in ("here", "in training", "pawns"):
        table.add_column(name, justify="right")
    table.add_row("where all begin", "", "", f"{explanation['base']:+.2f}")
    for effect in explanation["effects"]:
        table.add_row(
            Text(names.get(effect["input"], effect["input"])),
            _number(effect["value"]),
            _number(effect["mean"]),
            f"{effect['pawns']:+.2f}",
        )
    if others["inputs"]:
        table.add_row(f"{others['inputs']} other inputs", "", "", f"{others['pawns']:+.2f}")
    if abs(explanation["remainder"]) >= 0.005:
        table.add_row("remainder", "", "", f"{explanation['remainder']:+.2f}")
    console.print()
    console.print(table)


def _show_spheres(console: Console, spheres: Mapping[str, Any]) -> None:
    console.print()
    if not spheres["fired"]:
        console.print(f"no centre fired; the nearest is at {spheres['distance']:.2f}")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("centres that fired")
    for name in ("distance", "membership", "pawns"):
        table.add_column(name, justify="right")
    for centre in spheres["centres"]:
        table.add_row(
            f"centre {centre['centre']}",
            f"{centre['distance']:.2f}",
            f"{centre['membership']:.2f}",
            f"{centre['pawns']:+.2f}",
        )
    table.add_row(f"all {spheres['fired']} that fired", "", "", f"{spheres['fired_pawns']:+.2f}")
    table.add_row("all others", "", "", f"{spheres['other_pawns']:+.2f}")
    console.print(table)


def _show_neighbours(console: Console, neighbours: Sequence[Mapping[str, Any]]) -> None:
    console.print("\ndistance  target  nearest training positions")
    for near in neighbours:
        line = f"{near['distance']:8.2f}  {near['target']:+6.2f}  {near['fen']}"
        console.print(line, soft_wrap=True, markup=False)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
