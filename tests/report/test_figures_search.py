"""The search chapter's figures: what is drawn is what the tables hold."""

import json
from collections.abc import Iterator
from typing import Any

from tests.report import made_search
from tests.report.conftest import Made


def spec(report: Made, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((report.folder / f"figures/{name}.json").read_text())
    return loaded


def rows(figure: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for dataset in figure["datasets"].values() for row in dataset]


def axes(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every axis in a part of a specification."""
    if isinstance(part, dict):
        if "axis" in part:
            yield part["axis"] or {}
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from axes(inner)


def test_every_generation_and_rival_is_drawn_with_its_elo(report: Made) -> None:
    drawn = rows(spec(report, "search_elo"))
    elos = sorted(row["value"] for row in drawn if "player" not in row)
    assert elos == sorted(elo for of in made_search.LEARNERS.values() for elo in of)
    rivals = {(row["player"], row["value"]) for row in drawn if "player" in row}
    assert rivals == set(made_search.RIVALS.items())


def test_generations_are_whole_numbers_on_the_axis(report: Made) -> None:
    panels = spec(report, "search_elo")["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == list(made_search.LEARNERS)
    for panel, elos in zip(panels, made_search.LEARNERS.values(), strict=True):
        ticks = [axis["values"] for axis in axes(panel) if "values" in axis]
        assert ticks
        assert all(of == list(range(len(elos))) for of in ticks)


def labels(part: Any) -> Iterator[str]:
    """Yield the title of every vertical axis in a part of a specification."""
    if isinstance(part, dict):
        if isinstance(part.get("y"), dict) and "title" in part["y"]:
            yield part["y"]["title"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from labels(inner)


def test_length_entropy_draws_and_resignations_are_drawn_and_nothing_else(report: Made) -> None:
    figure = spec(report, "search_selfplay")
    assert {row["unit"] for row in rows(figure)} == {"plies", "nats", "share"}
    for panel in figure["vconcat"]:
        assert list(dict.fromkeys(labels(panel))) == [
            "half-moves a game",
            "entropy of a search, nats",
            "share of games drawn",
            "share of games given up",
        ]
    assert {row["value"] for row in rows(figure) if row["unit"] == "share"} == {0.1, 0.3}


def test_the_time_and_the_speed_of_both_stages_are_drawn(report: Made) -> None:
    figure = spec(report, "search_times")
    drawn = {row["value"] for row in rows(figure)}
    expected = {
        value + generation
        for _, metric, _, value in made_search.TIMES
        for elos in made_search.LEARNERS.values()
        for generation in range(1, len(elos))
        if metric != "seconds"
    }
    assert drawn == expected
    for panel in figure["vconcat"]:
        assert list(dict.fromkeys(labels(panel))) == [
            "CPU seconds of self-play",
            "CPU seconds of training",
            "games a CPU minute",
            "searched positions a CPU second",
            "evaluated positions a CPU second",
            "trained positions a CPU second",
        ]
