"""Spec strings: what they may say, and everything that is wrong with them at once."""

from __future__ import annotations

import pickle

import pytest

from tabia.match.agent import AgentFaultError, AgentStartError
from tabia.match.random_agent import build as build_random
from tabia.match.spec import AgentSpec, AgentSpecError, parse_spec
from tabia.tables.settings import Settings

TARGETS = {"random": None, "stockfish": None, "uci": None, "imitation": "model folder"}


class _Settings(Settings):
    elo: int
    temperature: float = 1.0


def parse(text: str) -> AgentSpec:
    return parse_spec(text, "chess", TARGETS)


def test_a_head_alone_is_a_spec() -> None:
    assert parse("random") == AgentSpec("random", "chess", "random")


def test_settings_stand_behind_the_head() -> None:
    spec = parse("stockfish:elo=1500, nodes=1000")
    assert (spec.head, spec.target) == ("stockfish", None)
    assert spec.settings == {"elo": "1500", "nodes": "1000"}


def test_options_have_names_with_blanks_and_values_with_commas() -> None:
    spec = parse(r"uci:path=/a:b/c=d,option.Skill Level=3,option.Files=x\,y")
    assert spec.settings == {"path": "/a:b/c=d"}
    assert spec.options == {"Skill Level": "3", "Files": "x,y"}


@pytest.mark.parametrize(
    ("text", "target", "settings"),
    [
        ("imitation:results/m/all/final", "results/m/all/final", {}),
        ("imitation:m/memory=10,rnn=gru", "m/memory=10,rnn=gru", {}),
        ("imitation:m/memory=10:elo=1300", "m/memory=10", {"elo": "1300"}),
        ("imitation:a:b:", "a:b", {}),
    ],
)
def test_a_target_stands_between_head_and_settings(
    text: str, target: str, settings: dict[str, str]
) -> None:
    spec = parse(text)
    assert (spec.target, spec.settings) == (target, settings)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("stockfsh:elo=1", ["no agent 'stockfsh'; did you mean 'stockfish'?"]),
        ("", ["no agent ''; there are: imitation, random, stockfish, uci"]),
        ("imitation", ["needs model folder: imitation:MODEL_FOLDER:key=value,…"]),
        (
            "stockfish:elo,=3,option.=2,elo=,nodes=1,nodes=2",
            [
                "'elo' is no setting; write key=value, with commas between",
                "'=3' is no setting; write key=value, with commas between",
                "'option.=2' names no option",
                "'elo=' is no setting; write key=value, with commas between",
                "nodes is given twice",
            ],
        ),
        ("uci:path=x,option.Style=a,option.style=b", ["option.style is given twice"]),
    ],
)
def test_all_faults_of_the_text_are_told(text: str, faults: list[str]) -> None:
    with pytest.raises(AgentSpecError) as caught:
        parse(text)
    assert list(caught.value.faults) == faults
    assert caught.value.exit_code == 2


def test_all_faults_of_the_settings_are_told() -> None:
    spec = parse("uci:elp=3,temperature=nan,option.A=b")
    with pytest.raises(AgentSpecError) as caught:
        spec.read(_Settings)
    assert list(caught.value.faults) == [
        "uci takes no option.… settings; it is no engine",
        "needs elo=…",
        "temperature=nan: Input should be a finite number",
        "no setting 'elp'; did you mean 'elo'?",
    ]


def test_settings_are_read_as_their_types() -> None:
    read = parse("uci:elo=3,temperature=0.5").read(_Settings)
    assert (read.elo, read.temperature) == (3, 0.5)


def test_the_random_agent_takes_no_settings() -> None:
    assert build_random(parse("random")).spec == "random"
    with pytest.raises(AgentSpecError, match="no setting 'elo'; there are none"):
        build_random(parse("random:elo=3"))


@pytest.mark.parametrize(
    "error",
    [
        AgentFaultError("timeout", "no `bestmove` in 1 s", ("> go",)),
        AgentSpecError("x", ["a", "b"]),
        AgentStartError("gone"),
    ],
)
def test_errors_travel_between_processes(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
