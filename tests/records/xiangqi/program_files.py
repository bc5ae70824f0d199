"""Tiny writers of the files that programs write, for tests: the other way round as the readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tabia._native.xiangqi_board import Board

LETTERS = ".KABNRCPkabnrcp"  # by piece code
SET = "RNBAKABNRCCPPPPP"
KEYS = (0x2D, 0x75, 0x66, 0xF8)  # any four bytes with the sum 0 modulo 256
STREAM = b"[(C) Copyright Mr. Dong Shiwei.]"


@dataclass(frozen=True)
class Game:
    """What is written: moves, start, texts, and side lines by the ply that they replace."""

    codes: Sequence[int]
    fen: str | None = None
    comments: Mapping[int, str] = field(default_factory=dict)
    side_lines: Mapping[int, Sequence[int]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    result: int = 0  # 0 unknown, 1 Red, 2 Black, 3 draw

    def pieces(self) -> dict[int, str]:
        """Letters by square."""
        codes = Board(self.fen).piece_codes()
        return {square: LETTERS[code] for square, code in enumerate(codes) if code}

    def nodes(self) -> list[tuple[int, bool, bool, str]]:
        """Code, whether more follows, whether it has a sibling, and comment, main line first."""
        nodes = [
            (code, ply < len(self.codes), ply in self.side_lines, self.comments.get(ply, ""))
            for ply, code in enumerate(self.codes, 1)
        ]
        for ply in sorted(self.side_lines, reverse=True):
            line = self.side_lines[ply]
            nodes += [(code, i < len(line), False, "") for i, code in enumerate(line, 1)]
        return nodes


def piece_slots(pieces: Mapping[int, str]) -> list[int | None]:
    """Square of each of the 32 pieces in the order of XQF and DhtmlXQ; None is off the board."""
    left = dict(pieces)
    slots: list[int | None] = []
    for letter in SET + SET.lower():
        square = next((square for square, other in left.items() if other == letter), None)
        slots.append(square)
        if square is not None:
            del left[square]
    return slots


# -- XQF -----------------------------------------------------------------------------------

XQF_TEXTS = {
    "title": (0x50, 63),
    "event": (0xD0, 63),
    "date": (0x110, 15),
    "site": (0x120, 15),
    "red": (0x130, 15),
    "black": (0x140, 15),
    "time_rule": (0x150, 63),
}


def xqf(
    game: Game,
    version: int = 18,
    *,
    keys: tuple[int, int, int, int] = KEYS,
    mask: int = 0xFE,
    ors: tuple[int, int, int, int] = (0x66, 0xF9, 0x7D, 0x24),
    encoding: str = "gb18030",
) -> bytes:
    """An XQF file; keys are written and used from version 11 on."""
    plain = version <= 10
    if plain:
        keys, mask, ors = (0, 0, 0, 0), 0, (0, 0, 0, 0)
    head = bytearray(0x400)
    head[:4] = b"XQ" + bytes([version, mask])
    head[8:12], head[12:16] = bytes(ors), bytes(keys)
    head[0x33] = game.result
    for name, text in game.texts.items():
        at, most = XQF_TEXTS[name]
        raw = text.encode(encoding)[:most]
        head[at : at + 1 + len(raw)] = bytes([len(raw)]) + raw
    piece_key = _shift(keys[1], keys[1])
    origin_key = _shift(keys[2], piece_key)
    target_key = _shift(keys[3], origin_key)
    length_key = 0 if plain else (keys[0] * 256 + keys[1]) % 32000 + 767
    for slot, square in enumerate(piece_slots(game.pieces())):
        number = 255 if square is None else 10 * (square % 9) + square // 9
        turn = (slot - piece_key - 1) % 32 if version >= 12 else slot
        # A number off the board must stay one when the key is taken away.
        head[16 + turn] = (number + piece_key) & 0xFF
    body = bytearray()

    def node(start: int, target: int, more: bool, sibling: bool, comment: str) -> None:
        raw = comment.encode(encoding)
        start_byte = (10 * (start % 9) + start // 9 + 24 + origin_key) & 0xFF
        target_byte = (10 * (target % 9) + target // 9 + 32 + target_key) & 0xFF
        if plain:
            tag = (0xF0 if more else 0) | (0x0F if sibling else 0)
            body.extend([start_byte, target_byte, tag, 0])
            body.extend(len(raw).to_bytes(4, "little") + raw)
            return
        tag = (0x80 if more else 0) | (0x40 if sibling else 0) | (0x20 if raw else 0)
        body.extend([start_byte, target_byte, tag, 0])
        if raw:
            body.extend((len(raw) + length_key).to_bytes(4, "little") + raw)

    node(0, 0, bool(game.codes), False, game.comments.get(0, ""))
    for code, more, sibling, comment in game.nodes():
        node(code // 90, code % 90, more, sibling, comment)
    key = [ors[i] | (keys[i] & mask) for i in range(4)]
    stream = [STREAM[i] & key[i % 4] for i in range(32)]
    return bytes(head) + bytes((byte + stream[i % 32]) & 0xFF for i, byte in enumerate(body))


def _shift(key: int, factor: int) -> int:
    """The author's formula, as he published it."""
    return (((((key * key) * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * factor & 0xFF


# -- CCBridge ------------------------------------------------------------------------------

CBR_TEXTS = {
    "title": 180,
    "event": 692,
    "round": 756,
    "date": 884,
    "site": 948,
    "time_rule": 1012,
    "red": 1076,
    "black": 1300,
    "ending": 2080,
}
CBR_PIECES = dict(zip("RNBAKCPrnbakcp", [*range(0x11, 0x18), *range(0x21, 0x28)], strict=True))


def cbr(game: Game) -> bytes:
    """A CBR record; what is behind the NUL of a text is rubbish, as in real files."""
    head = bytearray(2214)
    head[:16] = b"CCBridge Record\0"
    head[19] = 2
    for name, at in CBR_TEXTS.items():
        raw = game.texts.get(name, "").encode("utf-16-le") + b"\0\0\xfe\x19"
        head[at : at + len(raw)] = raw
    head[2076] = game.result
    head[2112] = 2 if Board(game.fen).black_to_move else 1
    for square, letter in game.pieces().items():
        head[2120 + _from_top(square)] = CBR_PIECES[letter]
    head[2210:] = b"\xff\xff\xff\xff"
    body = bytearray()

    def node(start: int, target: int, more: bool, sibling: bool, comment: str) -> None:
        raw = comment.encode("utf-16-le")
        flags = (0 if more else 1) | (2 if sibling else 0) | (4 if raw else 0)
        body.extend([flags, 0, start, target])
        if raw:
            body.extend(len(raw).to_bytes(4, "little") + raw)

    node(0, 0, bool(game.codes), False, game.comments.get(0, ""))
    for code, more, sibling, comment in game.nodes():
        node(_from_top(code // 90), _from_top(code % 90), more, sibling, comment)
    return bytes(head) + bytes(body)


def _from_top(square: int) -> int:
    return 9 * (9 - square // 9) + square % 9


def cbl(games: Sequence[Game], slots: int = 128) -> bytes:
    """A CBL library: head, index and records in slots of 4,096 bytes."""
    head = bytearray(66624 + 276 * slots)
    head[:16] = b"CCBridgeLibrary\0"
    head[60:64] = slots.to_bytes(4, "little")
    body = b""
    for i, game in enumerate(games):
        record = cbr(game)
        at = 66624 + 276 * i
        head[at] = 7
        head[at + 8] = 1
        head[at + 12 : at + 16] = len(record).to_bytes(4, "little")
        body += record + bytes(-len(record) % 4096)
    return bytes(head) + body


def cbf(game: Game, encoding: str = "utf-8") -> bytes:
    """A CBF file."""
    texts = "".join(f"<{tag}>{text}</{tag}>" for tag, text in game.texts.items())
    moves = [f'<Move value="00-00">{_cdata(game.comments.get(0, ""))}</Move>']
    for code, more, _, comment in game.nodes():
        squares = "-".join(f"{square % 9}{9 - square // 9}" for square in (code // 90, code % 90))
        end = "" if more else ' end="1"'
        moves.append(f'<Move value="{squares}"{end}>{_cdata(comment)}</Move>')
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?>\n<ChineseChessRecord Version="1.0">'
        f"<Head>{texts}<RecordResult>{game.result}</RecordResult>"
        f"<FEN>{Board(game.fen).fen()}</FEN></Head>\n"
        f"<MoveList>{''.join(moves)}</MoveList></ChineseChessRecord>"
    )
    return text.encode(encoding)


def _cdata(text: str) -> str:
    return f"<![CDATA[{text}]]>" if text else ""


# -- DhtmlXQ -------------------------------------------------------------------------------


def dhtmlxq(game: Game, result: str = "") -> str:
    """Tags of one board."""
    squares = [square for code in game.codes for square in (code // 90, code % 90)]
    tags = {
        "binit": "".join(
            "99" if square is None else f"{square % 9}{9 - square // 9}"
            for square in piece_slots(game.pieces())
        ),
        **game.texts,
        "result": result,
        "movelist": "".join(f"{square % 9}{9 - square // 9}" for square in squares),
        **{f"comment{ply}": text.replace("\n", "||") for ply, text in game.comments.items()},
        **{f"move_0_{ply}_{i}": "0000" for i, ply in enumerate(game.side_lines, 1)},
    }
    text = "\n".join(f"[DhtmlXQ_{tag}]{value}[/DhtmlXQ_{tag}]" for tag, value in tags.items())
    return f"[DhtmlXQ]\n{text}\n[/DhtmlXQ]"
