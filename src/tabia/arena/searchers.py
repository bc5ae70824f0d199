"""The agent ``search``: a tree search with any model of this project that can guide one."""

from __future__ import annotations

import os
from pathlib import Path

from tabia.match.agent import AgentStartError
from tabia.match.spec import AgentSpec, AgentSpecError
from tabia.search.agent import SearchAgent, SearchAgentSettings
from tabia.search.nets.folder import NetFolderError
from tabia.search.nets.sessions import OnnxFileError
from tabia.search.sources import NetSource, OnnxSource, Route, Source

__all__ = ["SearcherSettings", "build", "game_of"]


class SearcherSettings(SearchAgentSettings):
    """Settings of the agent ``search``."""

    route: Route = "onnx"
    """What evaluates the net of a folder."""


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
    # Of os.path: an unknown user's home stays as it is, and the folder is not found.
    path = Path(os.path.expanduser(str(spec.target)))  # noqa: PTH111
    try:
        if path.suffix == ".onnx":
            return OnnxSource(path)
        return NetSource(path, settings.route)
    except (NetFolderError, OnnxFileError) as error:
        raise AgentSpecError(spec.text, [str(error)]) from error
