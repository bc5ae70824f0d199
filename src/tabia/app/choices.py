"""Values of options that offer a choice. Enumerations, so that completion knows them.

Tests hold them equal to what the rooms know, which are not imported here: completion is to be fast.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "GoRules",
    "MatchGame",
    "PerftGame",
    "PlayedBy",
    "RecordsGame",
    "WrittenFormat",
    "XiangqiFormat",
    "XiangqiRules",
]


class PerftGame(StrEnum):
    """Games whose moves can be counted."""

    chess = "chess"
    chess960 = "chess960"
    xiangqi = "xiangqi"


class XiangqiFormat(StrEnum):
    """Formats of xiangqi records that are read."""

    pgn = "pgn"
    playok = "playok"
    dhtmlxq = "dhtmlxq"
    ucci = "ucci"
    uci = "uci"
    xqf = "xqf"
    cbf = "cbf"
    cbr = "cbr"
    cbl = "cbl"


class WrittenFormat(StrEnum):
    """Formats that records are written in: xiangqi but for the last, which is of Go."""

    pgn_wxf = "pgn-wxf"
    pgn_iccs = "pgn-iccs"
    pgn_chinese = "pgn-chinese"
    pgn_chinese_traditional = "pgn-chinese-traditional"
    ucci = "ucci"
    uci = "uci"
    sgf = "sgf"


class RecordsGame(StrEnum):
    """Games whose records can be read."""

    chess = "chess"
    xiangqi = "xiangqi"
    go = "go"


class MatchGame(StrEnum):
    """Games that matches are played at."""

    chess = "chess"
    xiangqi = "xiangqi"
    go = "go"


class XiangqiRules(StrEnum):
    """Sets of rules on repetition."""

    none = "none"
    simple = "simple"
    asian = "asian"


class GoRules(StrEnum):
    """Sets of rules of Go."""

    tromp_taylor = "tromp-taylor"
    chinese = "chinese"
    japanese = "japanese"
    korean = "korean"
    aga = "aga"
    new_zealand = "new-zealand"
    wmsg = "wmsg"
    paper = "paper"


class PlayedBy(StrEnum):
    """Who played the games."""

    people = "people"
    engines = "engines"
