"""Commands and answers of the Go Text Protocol, as its specification has them."""

from __future__ import annotations

import pytest

from tabia.engines.gtp import Answer, AnswerReader, GtpError, command


def read(number: int, *lines: str) -> Answer | None:
    reader = AnswerReader(number)
    answers = [answer for line in lines if (answer := reader.add(line)) is not None]
    return answers[0] if answers else None


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("= D4", ""), Answer(True, "D4", None)),
        (("=7 D4", ""), Answer(True, "D4", 7)),
        (("=7", ""), Answer(True, "", 7)),
        (("= ", ""), Answer(True, "", None)),
        (("? unknown command", ""), Answer(False, "unknown command", None)),
        (("?7 illegal move\r", "\r"), Answer(False, "illegal move", 7)),
        (("=7 A1 B2", "C3", ""), Answer(True, "A1 B2\nC3", 7)),
        (("=7\tpass\x07", ""), Answer(True, "pass", 7)),
        (("A banner", "", "=7 x", ""), Answer(True, "x", 7)),
    ],
)
def test_an_answer_has_sign_number_and_text(lines: tuple[str, ...], answer: Answer) -> None:
    assert read(7, *lines) == answer


def test_an_answer_lasts_until_an_empty_line() -> None:
    assert read(1, "", "=1 play", "genmove") is None
    assert read(1, "", "noise = 3") is None


def test_the_answer_to_another_command_is_an_error() -> None:
    with pytest.raises(GtpError, match="`=6 D4` answers command 6, not 7"):
        read(7, "=6 D4", "")


def test_what_begins_like_an_answer_and_is_none_is_an_error() -> None:
    with pytest.raises(GtpError, match="`=7D4` is no answer"):
        read(7, "=7D4", "")


def test_a_command_is_a_number_and_words() -> None:
    assert command(12, ("play", "b", "D4")) == "12 play b D4"


@pytest.mark.parametrize("words", [(), ("",), ("a\nb",), ("name", "#")])
def test_what_would_not_arrive_as_it_is_is_not_sent(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="cannot be sent"):
        command(1, words)
