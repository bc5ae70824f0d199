"""Games of a match as PGN: who played with which seed, and why each game ended.

Names are the agents' spec strings. There is no date and no machine's name in it, so that equal
matches give equal files. Comments are cutechess's: the mover's view in pawns, and the depth. A
forfeit is told at its end, with the transcript.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabia.match.play import PlayedGame
from tabia.match.run import Match
from tabia.records.xiangqi.record import Record
from tabia.records.xiangqi.write import write_pgn

__all__ = ["EVENT", "comments_of", "in_order", "match_pgn", "round_of", "termination_of"]

EVENT = "tabia match"
"""What the event of every game is called."""

_COLUMNS = 80


def match_pgn(match: Match) -> str:
    """PGN of the finished games in the order of the pairs; xiangqi in WXF notation."""
    write = _chess if match.plan.ground.name == "chess" else _xiangqi
    return "".join(
        write(match, game, number, i)
        for number, pair in match.pairs.items()
        for i, game in enumerate(pair)
    )


def _chess(match: Match, game: PlayedGame, number: int, second: int) -> str:
    import chess
    import chess.pgn

    board = chess.Board() if game.start_fen is None else chess.Board(game.start_fen)
    record = chess.pgn.Game()
    record.setup(board)
    agents = in_order(match.plan.agents, second)
    record.headers.update(
        {
            "Event": EVENT,
            "Site": "?",
            "Date": "????.??.??",
            "Round": round_of(number, second),
            "White": _value(agents[0]),
            "Black": _value(agents[1]),
            "Result": {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[game.result],
            **{name: _value(value) for name, value in _tags(match, game, second)},
            "Termination": _value(termination_of(match, game)),
        }
    )
    decode = match.plan.ground.game.decode
    comments = comments_of(match, game)
    node: chess.pgn.GameNode = record
    node.comment = comments.get(0, "")
    for ply, code in enumerate(game.moves, 1):
        node = node.add_main_variation(chess.Move.from_uci(decode(code)))
        node.comment = comments.get(ply, "")
    exporter = chess.pgn.StringExporter(columns=_COLUMNS, variations=False)
    return record.accept(exporter) + "\n\n"


def _xiangqi(match: Match, game: PlayedGame, number: int, second: int) -> str:
    agents = in_order(match.plan.agents, second)
    text = write_pgn(
        Record(
            moves=list(game.moves),
            start_fen=game.start_fen,
            notation="wxf",
            event=EVENT,
            round=round_of(number, second),
            first_name=agents[0],
            second_name=agents[1],
            result=game.result,
            termination=termination_of(match, game),
            comments=comments_of(match, game),
        )
    )
    tags, gap, moves = text.partition("\n\n")
    more = "".join(f'\n[{name} "{_value(value)}"]' for name, value in _tags(match, game, second))
    return tags + more + gap + moves


def _tags(match: Match, game: PlayedGame, second: int) -> Iterator[tuple[str, str]]:
    sides = [side.capitalize() for side in match.plan.ground.sides]
    for side, name, seed in zip(sides, in_order(match.names, second), game.seeds, strict=True):
        yield f"{side}Type", "program"
        yield f"{side}Engine", name
        yield f"{side}Seed", str(seed)
    yield "MatchSeed", str(match.plan.seed)
    yield "OpeningPlies", str(game.opening_plies)
    if match.plan.ground.name == "xiangqi":
        yield "Rules", match.plan.ground.rules


def termination_of(match: Match, game: PlayedGame) -> str:
    """``checkmate``, or of a forfeit who failed and how."""
    if game.forfeit is None:
        return game.reason.replace("_", " ")
    side = match.plan.ground.sides[game.forfeit.side]
    return f"forfeit by {side}: {game.forfeit.kind.replace('_', ' ')}"


def comments_of(match: Match, game: PlayedGame) -> dict[int, str]:
    """Evaluations by ply, and of a forfeit how it came to that."""
    comments = {ply: text for ply, text in enumerate(game.evaluations, 1) if text}
    if game.forfeit is not None:
        told = (f"{termination_of(match, game)}: {game.forfeit.detail}", *game.forfeit.transcript)
        last = len(game.moves)
        comments[last] = " | ".join(filter(None, (comments.get(last, ""), *told)))
    return {ply: _plain(text.translate(_BRACES)) for ply, text in comments.items()}


_BRACES = str.maketrans("{}", "()")  # PGN has no way to write a closing brace in a comment


def _plain(text: str) -> str:
    """Text on one line, of characters that a PGN reader takes."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _value(text: str) -> str:
    """Value of a tag."""
    return _plain(text).replace("\\", "\\\\").replace('"', '\\"')


def in_order(pair: tuple[str, str], second: int) -> tuple[str, str]:
    """What belongs to the first player and to the second, of what belongs to A and B."""
    return (pair[1], pair[0]) if second else pair


def round_of(number: int, second: int) -> str:
    """``3.2``: the second game of the third pair."""
    return f"{number + 1}.{second + 1}"
