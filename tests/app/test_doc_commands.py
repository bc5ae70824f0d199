"""Every command that the pages show is one that the program takes: its name, options and words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
import typer.main

from tabia.app.cli import app
from tests.app.test_plan import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = re.compile(r"^```(?:sh|bash|shell|console)\n(.*?)^```", re.M | re.S)
UsageError: Any = typer.BadParameter.__mro__[1]  # of the click that typer brings
ENDS = {"|", ">", ">>", "<", "2>", "2>&1", "&&", "||", ";", "&"}


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every command of `tabia`, without comments and what follows a pipe."""
    for block in SHELL.findall(text):
        unfinished = ""
        for line in block.splitlines():
            unfinished += line.removeprefix("$ ")
            if unfinished.endswith("\\"):
                unfinished = unfinished[:-1]
                continue
            try:
                words = shlex.split(unfinished, comments=True)
            except ValueError:  # a quotation goes on in the next line
                unfinished += "\n"
                continue
            unfinished = ""
            if words and words[0].removeprefix(".venv/bin/") == "tabia":
                end = next((i for i, word in enumerate(words) if word in ENDS), len(words))
                yield words[1:end]


SHOWN = [
    pytest.param(words, id=f"{page.relative_to(ROOT)}: {' '.join(words)}"[:120])
    for page in PAGES
    for words in commands(page.read_text(encoding="utf-8"))
]


def refused(words: list[str]) -> str | None:
    """Return why a command line is none of the program's, or None."""
    command: Any = typer.main.get_command(app)
    context = command.context_class(command, info_name="tabia")
    while hasattr(command, "get_command"):
        if not words or (below := command.get_command(context, words[0])) is None:
            return f"no command {words[:1]}"
        command, words = below, words[1:]
        context = command.context_class(command, parent=context)
    try:
        command.parse_args(context, list(words))
    except typer.Exit:  # --help
        return None
    except UsageError as error:
        text: str = error.format_message()
        return None if "does not exist" in text else text
    return None


@pytest.mark.parametrize("words", SHOWN)
def test_a_command_of_the_pages_is_one_of_the_program(words: list[str]) -> None:
    assert refused(words) is None


def test_the_pages_show_commands_and_wrong_ones_are_noticed() -> None:
    assert len(SHOWN) > 40
    assert refused(["predict", "FOLDER", "games.pgn"]) == "Missing option '--model'."
    assert refused(["perft", "xiangqi", "--dept", "3"]) is not None
    assert refused(["perft", "xiangqi", "--depth", "3"]) is None
    text = '```sh\ntabia sql "select 1\n  as x" | head   # a comment\nls\n```\n'
    assert [*commands(text)] == [["sql", "select 1\n  as x"]]
