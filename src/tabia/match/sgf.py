"""Games of a match at Go as SGF: who played with which seed, and why each game ended.

What `tabia.match.pgn` has in tags stands in the comment before the first move. There is no date in
it: equal matches give equal files.
"""

from __future__ import annotations

from tabia.games.go import GoPosition
from tabia.match.pgn import EVENT, comments_of, in_order, round_of, termination_of
from tabia.match.play import PlayedGame
from tabia.match.run import Match
from tabia.records.go.record import Record
from tabia.records.go.write import write_sgf

__all__ = ["match_sgf"]


def match_sgf(match: Match) -> str:
    """SGF of the finished games in the order of the pairs, a game tree each."""
    return "".join(
        _tree(match, game, number, i)
        for number, pair in match.pairs.items()
        for i, game in enumerate(pair)
    )


def _tree(match: Match, game: PlayedGame, number: int, second: int) -> str:
    ground = match.plan.ground
    agents = in_order(match.plan.agents, second)
    comments = comments_of(match, game)
    comments[0] = " | ".join(filter(None, (_told(match, game, second), comments.get(0, ""))))
    return write_sgf(
        Record(
            moves=list(game.moves),
            board_size=ground.go.size,
            start_fen=game.start_fen,
            event=EVENT,
            round=round_of(number, second),
            first_name=agents[0],
            second_name=agents[1],
            result=game.result,
            termination=_how(match, game),
            komi=ground.komi,
            rules=ground.rules,
            comments=comments,
        )
    )


def _told(match: Match, game: PlayedGame, second: int) -> str:
    lines = [
        f"{side}: {name}, seed {seed}"
        for side, name, seed in zip(
            match.plan.ground.sides, in_order(match.names, second), game.seeds, strict=True
        )
    ]
    lines.append(f"match seed: {match.plan.seed}")
    lines.append(f"opening plies: {game.opening_plies}")
    lines.append(f"ended by: {termination_of(match, game)}")
    return "; ".join(lines)


def _how(match: Match, game: PlayedGame) -> str | None:
    """What SGF's result says besides the winner: ``resignation``, ``forfeit``, ``3.5 points``."""
    if game.reason in ("resignation", "forfeit"):
        return game.reason
    position = match.plan.ground.start(game.start_fen, game.moves)
    if not isinstance(position, GoPosition):
        raise TypeError(f"{type(position).__name__} is no position of Go")
    margin = abs(match.plan.ground.count(position).margin)
    return f"{margin:g} points" if margin else None
