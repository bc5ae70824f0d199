from __future__ import annotations

import pytest
from pydantic import ValidationError

from tabia.engines.config import Engine


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"Hash": 4}, "Hash is `hash_mb`"),
        ({"THREADS": 2}, "Threads is always 1"),
        ({" multipv ": 2}, "MultiPV is `multipv`"),
        ({"UCI_Chess960": True}, "UCI_Chess960 is not set under options"),
        ({"uci_elo": 1500}, "uci_elo is not set under options"),
        ({"SyzygyPath": "a\nquit"}, "leave out line breaks"),
        ({"SyzygyPath": "a\rquit"}, "leave out line breaks"),
        ({"SyzygyPath": "a\x00"}, "leave out line breaks"),
        ({"a\nquit": 1}, "leave out line breaks"),
        ({" ": 1}, "an option without a name"),
        ({"Use NNUE": True, "use nnue": False}, "Use NNUE and use nnue are one option"),
    ],
)
def test_options_that_cannot_be_sent_or_are_tabias_own_are_refused(
    options: dict[str, object], fault: str
) -> None:
    with pytest.raises(ValidationError, match=fault):
        Engine.model_validate({"options": options})


def test_other_options_are_kept_as_they_are() -> None:
    options = {"Use NNUE": False, "SyzygyPath": "/a b/ü", "Style": "", "Contempt": -5}
    assert Engine.model_validate({"options": options}).options == options


@pytest.mark.parametrize(
    "setting", [{"hash_mb": 2**25 + 1}, {"timeout_s": 1e9}, {"tries": 1001}, {"hash_mb": -5}]
)
def test_settings_that_no_engine_can_have_are_refused(setting: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="than or equal to"):
        Engine.model_validate(setting)
