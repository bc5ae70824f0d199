"""The agent ``imitation``: plays as a person of a given Elo would."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from tabia.games.go import GAME as GO
from tabia.games.go import GoPosition
from tabia.imitation.config import MOST_ELO
from tabia.imitation.imitator import Imitator, ImitatorError, Line, load, nucleus, tempered
from tabia.match.agent import AgentFaultError, AgentStartError, Analysis, Choice, Turn
from tabia.match.spec import AgentSpec, AgentSpecError
from tabia.tables.settings import Settings

__all__ = ["ImitationAgent", "ImitationSettings", "build"]

Elo = Annotated[int, Field(ge=1, le=MOST_ELO)]


class ImitationSettings(Settings):
    """Settings of the agent."""

    temperature: Annotated[float, Field(ge=0, le=100)] = 1.0
    """1 plays each move as often as people do, 0 always the likeliest, as the paper does."""
    top_p: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Draws only from the likeliest moves that exceed this probability together."""
    elo: Elo | None = None
    """Own Elo, for models that take it; else the middle of the model's bin, or unknown."""
    opponent_elo: Elo | None = None
    """The opponent's; else the own."""


class ImitationAgent:
    """Draws its moves from a model's distribution.

    Parameters
    ----------
    spec
        The text that builds it.
    imitator
        The model.
    settings
        How it is asked.
    """

    repeatable = True

    def __init__(self, spec: str, imitator: Imitator, settings: ImitationSettings) -> None:
        self.spec = spec
        self._imitator, self._settings = imitator, settings
        self._elo = settings.elo if settings.elo is not None else imitator.elo()
        self._other = settings.opponent_elo if settings.opponent_elo is not None else self._elo
        self.new_game(0)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the files of its model, sixteen digits."""
        return self._imitator.digest()

    @property
    def name(self) -> str:
        """The model, and the Elo that it imitates."""
        elo = "" if self._elo is None else f" as {self._elo}"
        return f"{self._imitator.about['model']}{elo}"

    def new_game(self, seed: int) -> None:
        """Begin a game whose draws come from `seed`."""
        self._rng = np.random.default_rng(seed)

    def choose(self, turn: Turn) -> Choice:
        """Draw a move; the analysis holds the model's probabilities before temperature and top-p.

        Moves that the match's rules forbid (a repetition) are left out.
        """
        start, position = turn.start_fen, turn.position
        if isinstance(position, GoPosition) and position.board.size != GO.size:
            start = position.board.start_fen()  # None is the usual board
        line = Line(start, turn.moves, self._elo, self._other)
        try:
            codes, p, prediction = self._imitator.next_move(line)
        except (ImitatorError, ValueError) as error:
            raise AgentFaultError("garbage", str(error)) from error
        allowed = np.isin(codes, turn.position.legal_moves())
        if not allowed.any():
            raise AgentFaultError("illegal_move", "the rules of this match leave no legal move")
        open_to = np.where(allowed, p, 0.0)
        if not open_to.sum():  # the model expects none of them, so none is likelier than another
            open_to = allowed / allowed.sum()
        chosen = int(codes[self._draw(open_to)])
        win = None
        if prediction.result is not None:
            _, draw, won = (float(share) for share in prediction.result[0])
            win = won + draw / 2
        shares = {int(code): float(share) for code, share in zip(codes, p, strict=True)}
        return Choice(chosen, Analysis(win_probability=win, probabilities=shares))

    def _draw(self, p: np.ndarray) -> int:
        if self._settings.temperature == 0:
            return int(p.argmax())
        share = nucleus(tempered(p / p.sum(), self._settings.temperature), self._settings.top_p)
        return int(self._rng.choice(len(share), p=share))

    def close(self) -> None:
        """Nothing to let go of."""


def build(spec: AgentSpec) -> ImitationAgent:
    """Build the agent of a spec ``imitation:FOLDER:temperature=1,top_p=0.9,elo=1300``.

    Raises
    ------
    AgentSpecError
        If the settings are wrong, or the folder is no model.
    AgentStartError
        If the model plays another game.
    """
    settings = spec.read(ImitationSettings)
    try:
        # Of os.path: an unknown user's home stays as it is, and the folder is not found.
        imitator = load(Path(os.path.expanduser(str(spec.target))))  # noqa: PTH111
    except ImitatorError as error:
        raise AgentSpecError(spec.text, [str(error)]) from error
    if imitator.game != spec.game:
        raise AgentStartError(
            f"agent {spec.text!r}: the model plays {imitator.game}, not {spec.game}"
        )
    return ImitationAgent(spec.text, imitator, settings)
