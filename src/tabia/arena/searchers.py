"""The agent ``search``: a tree search with any model of this project that can guide one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tabia.arena.model_sources import JoinedSource, source_of
from tabia.evaluation.saved import SavedModelError
from tabia.imitation.config import MOST_ELO
from tabia.imitation.imitator import ImitatorError
from tabia.match.agent import AgentStartError
from tabia.match.spec import AgentSpec, AgentSpecError
from tabia.search.agent import SearchAgent, SearchAgentSettings
from tabia.search.nets.folder import NetFolderError
from tabia.search.nets.sessions import OnnxFileError
from tabia.search.sources import Route, Source, SourceError

__all__ = ["SearcherSettings", "build", "game_of"]


class SearcherSettings(SearchAgentSettings):
    """Settings of the agent ``search``."""

    route: Route = "onnx"
    """What evaluates the net of a folder."""
    elo: Annotated[int, Field(ge=1, le=MOST_ELO)] | None = None
    """For models of people's moves: whose moves are expected, of both sides."""
    value: str | None = None
    """Another model, which gives the values; the first one then gives the priors alone."""


def build(spec: AgentSpec) -> SearchAgent:
    """Build the agent of a spec ``search:FOLDER:simulations=128``.

    Raises
    ------
    AgentSpecError
        If the settings are wrong, or the target is no model that can guide a search.
    AgentStartError
        If the model plays another game.
    """
    settings = spec.read(SearcherSettings)
    source = _source(spec, settings)
    if source.game not in (None, spec.game):
        raise AgentStartError(f"agent {spec.text!r}: plays {source.game}, not {spec.game}")
    return SearchAgent(spec.text, source, settings)


def game_of(spec: AgentSpec) -> str | None:
    """Return the game of the model; AgentSpecError as of :func:`build`."""
    return _source(spec, spec.read(SearcherSettings)).game


def _source(spec: AgentSpec, settings: SearcherSettings) -> Source:
    try:
        source = source_of(_path(spec.target), settings.route, settings.elo)
        if settings.value is None:
            return source
        value = source_of(_path(settings.value), settings.route, None)
    except (
        NetFolderError,
        OnnxFileError,
        ImitatorError,
        SavedModelError,
        SourceError,
    ) as error:
        raise AgentSpecError(spec.text, [str(error)]) from error
    if value.game != source.game:
        raise AgentSpecError(
            spec.text, [f"value={settings.value}: plays {value.game}, not {source.game}"]
        )
    return JoinedSource(source, value)


def _path(text: str | None) -> Path:
    # Of os.path: an unknown user's home stays as it is, and the folder is not found.
    return Path(os.path.expanduser(str(text)))  # noqa: PTH111
