"""The plan of the search chapter: files and specs of its jobs, from a checked configuration.

Part of :mod:`tabia.app.plan`, and as it is read by every dry run: standard library and pydantic
only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tabia.app.config import Config, ConfigError
from tabia.app.marks import mark, revision
from tabia.search.config import NOISE
from tabia.search.learning_config import LAST_OF, Learner, Pretrain, Search

__all__ = ["SLICES", "SearchPlan", "faults", "mark_of"]

_DEAR = tuple(f"search.{stage}" for stage in ("pretrain", "selfplay", "train", "gate", "ladder"))


@dataclass(frozen=True)
class SearchPlan:
    """Files of the chapter.

    Attributes
    ----------
    config
        The checked configuration, with or without the chapter.
    """

    config: Config

    @property
    def section(self) -> Search:
        """The search section.

        Raises
        ------
        ConfigError
            If the configuration has none.
        """
        if self.config.search is None:
            raise ConfigError("config: search: missing, so the search chapter cannot run")
        return self.config.search

    def learners(self) -> list[str]:
        """Return the names of the learners; none without the chapter."""
        return [] if self.config.search is None else list(self.config.search.learners)

    def of(self, run: str) -> Learner:
        """Return one learner's settings.

        Raises
        ------
        ConfigError
            If the configuration has none of this name.
        """
        found = self.section.learners.get(run)
        if found is None:
            known = ", ".join(self.section.learners)
            raise ConfigError(f"config: search.learners.{run}: missing; there are {known}")
        return found

    def sizes(self, run: str) -> dict[str, int]:
        """Return how many generations, games against itself and matches a learner has."""
        of = self.of(run)
        return {
            "generations": of.generations,
            "games": sum(of.selfplay.games_of(1 + i) for i in range(of.generations)),
            "matches": len(self.pairs(run)),
        }

    # --- records -------------------------------------------------------------------------

    def begun(self, *, pretrained: bool) -> str:
        """Return a pattern for the learners that begin with records, or for those that do not."""
        names = [
            name for name in self.learners() if (self.of(name).pretrain is not None) == pretrained
        ]
        return "|".join(map(re.escape, names)) or "(?!)"

    def pretrain(self, run: str) -> Pretrain:
        """Return what a learner learns from records.

        Raises
        ------
        ConfigError
            If it learns nothing from them.
        """
        found = self.of(run).pretrain
        if found is None:
            raise ConfigError(f"config: search.learners.{run}.pretrain: missing")
        return found

    def records(self, run: str) -> list[str]:
        """Return the tables of the games that a learner begins with."""
        wanted = self.pretrain(run).source
        return [
            f"results/records/games/{source.name}/{shard}.parquet"
            for source in self.config.sources
            if source.name == wanted
            for shard in range(source.shards)
        ]

    # --- files ---------------------------------------------------------------------------

    def player(self, run: str, generation: int) -> str:
        """Return the folder of the net that plays as a generation: the best one, where gated."""
        gated = self.of(run).gate is not None and generation > 0
        return f"results/search/{run}/{'best' if gated else 'nets'}/{generation}"

    def before(self, run: str, generation: str) -> str:
        """Return the player that a generation's games are played by and that its net must beat."""
        return self.player(run, int(generation) - 1)

    def learned_from(self, run: str, generation: str) -> str:
        """Return the net that a generation's training begins with: the last trained one."""
        return f"results/search/{run}/nets/{int(generation) - 1}"

    def selfplay(self, run: str, table: str) -> list[str]:
        """Return ``games``, ``positions`` or ``times`` of all generations, shard by shard."""
        settings = self.of(run)
        return [
            file
            for generation in range(1, settings.generations + 1)
            for file in self._shards(run, generation, table)
        ]

    def window(self, run: str, generation: str, table: str) -> list[str]:
        """Return ``games`` or ``positions`` of the generations that a training reads."""
        last = int(generation)
        first = max(1, last - self.of(run).learning.window + 1)
        return [file for one in range(first, last + 1) for file in self._shards(run, one, table)]

    def _shards(self, run: str, generation: int, table: str) -> list[str]:
        folder = f"results/search/{run}/selfplay/{generation}"
        return [
            f"{folder}/{shard}/{table}.parquet" for shard in range(self.of(run).selfplay.shards)
        ]

    def nets(self, run: str) -> list[str]:
        """Return the folders of all nets of a learner, that of generation 0 first."""
        generations = range(self.of(run).generations + 1)
        return [f"results/search/{run}/nets/{generation}" for generation in generations]

    def times(self, run: str) -> list[str]:
        """Return what the games and the trainings of a learner measured of their own time."""
        last = self.of(run).generations
        return [
            *self.selfplay(run, "times"),
            *(f"results/search/{run}/times/{1 + generation}.parquet" for generation in range(last)),
        ]

    def pairs(self, run: str) -> list[str]:
        """Return the names of a learner's matches.

        Each generation plays earlier ones, and the last one the rivals.
        """
        last, ladder = self.of(run).generations, self.section.ladder
        among = [
            f"{generation}-{other}"
            for generation in range(1, last + 1)
            for other in dict.fromkeys(
                [
                    *(generation - one for one in ladder.before if one <= generation),
                    *([0] if ladder.start else []),
                ]
            )
        ]
        others = [f"{LAST_OF}{name}" for name in ladder.learners if name != run]
        return among + [f"{last}-{rival}" for rival in (*ladder.rivals, *others)]

    def matches(self, run: str) -> list[str]:
        """Return the tables of a learner's matches."""
        return [f"results/search/{run}/matches/{pair}.parquet" for pair in self.pairs(run)]

    def opponents(self, run: str, pair: str) -> list[str]:
        """Return the folders of the nets that play a match; a rival has none."""
        found = []
        for name in pair.split("-", 1):
            other = name.removeprefix(LAST_OF)
            if name.isdecimal():
                found.append(self.player(run, int(name)))
            elif other != name:
                found.append(self.player(other, self.of(other).generations))
        return found

    def match_options(self, run: str, pair: str) -> list[str]:
        """Return the command-line options that name the nets of a match."""
        folders = self.opponents(run, pair)
        return [
            f"--{name}={path}" for name, path in zip(("first", "second"), folders, strict=False)
        ]

    def gates(self, run: str) -> list[str]:
        """Return the tables of a learner's gating matches."""
        if self.of(run).gate is None:
            return []
        generations = range(1, self.of(run).generations + 1)
        return [f"results/search/{run}/gates/{generation}.parquet" for generation in generations]

    def of_all(self, files: Callable[[str], list[str]]) -> list[str]:
        """Return the files of all learners, those of one being ``files(run)``."""
        return [file for run in self.learners() for file in files(run)]

    def tables(self, table: str) -> list[str]:
        """Return ``games`` or ``positions`` of self-play of all learners."""
        return self.of_all(lambda run: self.selfplay(run, table))

    def parquet(self) -> list[str]:
        """Return every Parquet file that the database shows."""
        return [
            *self.tables("games"),
            *self.tables("positions"),
            *self.of_all(self.gates),
            *self.of_all(self.matches),
        ]

    # --- threads -------------------------------------------------------------------------

    def pretraining_threads(self, run: str) -> int:
        """Return the threads that learning from records is pinned to."""
        return self.pretrain(run).threads

    def selfplay_threads(self, run: str) -> int:
        """Return the threads that self-play and gating are pinned to."""
        return self.of(run).selfplay.threads

    def training_threads(self, run: str) -> int:
        """Return the threads that training is pinned to."""
        return self.of(run).learning.threads

    def ladder_threads(self) -> int:
        """Return the threads that matches are pinned to."""
        return self.section.ladder.threads


# --- faults ------------------------------------------------------------------------------


def faults(config: Config) -> list[str]:
    """Return what of the chapter's section does not go with the rest of the configuration."""
    plan = SearchPlan(config)
    sources = {source.name: source.game for source in config.sources}
    found = []
    for run in plan.learners():
        of = plan.of(run)
        if of.pretrain is None or sources.get(of.pretrain.source) == of.rules.game:
            continue
        name, game = of.pretrain.source, of.rules.game
        where = f"  search.learners.{run}.pretrain.source"
        if name in sources:
            found.append(f"{where}: source {name} holds {sources[name]}, not {game}")
            continue
        known = ", ".join(one for one, of_game in sources.items() if of_game == game)
        remedy = f"sources of {game}: {known}" if known else f"add one of {game} to records.sources"
        found.append(f"{where}: no source is called {name}; {remedy}")
    return found


# --- specs -------------------------------------------------------------------------------


def mark_of(stage: str) -> str:
    """Return the mark of a job: by hand for games and training, of the code for the others."""
    return (revision if stage in _DEAR else mark)(f"tabia.{stage}")


def _learner(plan: SearchPlan, wildcards: Mapping[str, str], *keys: str) -> dict[str, Any]:
    settings = plan.of(wildcards["run"]).model_dump(mode="json", include={"rules", *keys})
    return {"seed": plan.section.seed, **settings}


def _start(plan: SearchPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    return _learner(plan, wildcards, "net", "history", "liberties")


def _pretrain(plan: SearchPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    found = _learner(plan, wildcards, "net", "history", "liberties", "pretrain")
    # Games of records end where they ended, and anything may be played in them.
    found["rules"]["max_plies"] = None
    if found["rules"]["game"] == "go":
        found["rules"] |= {"rollout_fills_eyes": False, "spares_eyes": False}
    if plan.config.records is None:
        raise ConfigError("config: records: missing, and a learner begins with them")
    return {**found, "splits": plan.config.records.splits.model_dump()}


def _selfplay(plan: SearchPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    found = _learner(plan, wildcards, "selfplay")
    settings = plan.of(wildcards["run"]).selfplay
    # Only this generation's own number of games concerns it.
    games = settings.games_of(int(wildcards["generation"]))
    found["selfplay"] |= {"games": games, "first_games": None}
    return found


def _train(plan: SearchPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    found = _learner(plan, wildcards, "targets", "learning")
    # Only the window that this generation has concerns it: 4 of 3 generations are 3.
    generation, window = int(wildcards["generation"]), found["learning"]["window"]
    found["learning"]["window"] = min(generation, window)
    return found


def _gate(plan: SearchPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    threads = plan.selfplay_threads(wildcards["run"])
    return {
        **_learner(plan, wildcards, "gate"),
        "search": _own_search(plan, wildcards["run"]),
        "threads": threads,
    }


def _ladder(plan: SearchPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    ladder = plan.section.ladder
    games, simulations = ladder.games, ladder.simulations
    if not wildcards["pair"].partition("-")[2].isdecimal():
        games, simulations = ladder.rival_games or games, ladder.rival_simulations or simulations
    match = {
        "games": games,
        "simulations": simulations,
        "opening": ladder.opening,
        "threads": ladder.threads,
    }
    second = wildcards["pair"].partition("-")[2]
    other = second.removeprefix(LAST_OF) if second.startswith(LAST_OF) else wildcards["run"]
    return {
        **_learner(plan, wildcards),
        "search": _own_search(plan, wildcards["run"]),
        "second_search": _own_search(plan, other),
        "ladder": match,
    }


def _own_search(plan: SearchPlan, run: str) -> dict[str, Any]:
    """Return how a learner searches in self-play, without noise and what draws its moves there."""
    search = plan.of(run).selfplay.search
    tree = search.tree.model_dump(mode="json", exclude=set(NOISE))
    return {"tree": tree, "move": {"rule": search.move.rule}}


def _summary(plan: SearchPlan, _: Mapping[str, str]) -> dict[str, Any]:
    ladder = plan.section.ladder
    return {
        "seed": plan.section.seed,
        "bootstrap": plan.section.bootstrap,
        "confidence": plan.section.confidence,
        "simulations": ladder.simulations,
        "rival_simulations": ladder.rival_simulations or ladder.simulations,
        "learners": {run: {"generations": plan.of(run).generations} for run in plan.learners()},
    }


SLICES: Mapping[str, Callable[[SearchPlan, Mapping[str, str]], dict[str, Any]]] = {
    "search.start": _start,
    "search.pretrain": _pretrain,
    "search.selfplay": _selfplay,
    "search.train": _train,
    "search.gate": _gate,
    "search.ladder": _ladder,
    "search.summary": _summary,
}
"""What each stage reads of the configuration. A key that is missing here cannot matter to it."""
