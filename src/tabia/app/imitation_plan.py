"""The plan of the imitation chapter: files and specs of its jobs, from a checked configuration.

Part of :mod:`tabia.app.plan`, and as it is read by every dry run: standard library and pydantic
only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from tabia.app.config import Config, ConfigError, missing
from tabia.app.marks import mark
from tabia.imitation.by_game import VIEWS
from tabia.imitation.config import GameImitation, Imitation
from tabia.imitation.models.config import Structures, candidates
from tabia.imitation.models.modules import ALL, FINAL, MODELS, PHASES, candidate_name, kind_of
from tabia.records.by_game import BOARDS
from tabia.records.config import Source

__all__ = ["SLICES", "ImitationPlan", "faults", "mark_of"]

GAMES = ("chess", "xiangqi", "go")

_SHOWING = tuple(f"imitation.{stage}" for stage in ("samples", "pretrain", "candidate", "train"))
"""Stages that show positions by the game's own view."""

RATED, UNRATED = "samples", "unrated"
"""Tables of samples, by their games."""


@dataclass(frozen=True)
class ImitationPlan:
    """Files of the chapter.

    Attributes
    ----------
    config
        The checked configuration, with or without the chapter.
    """

    config: Config

    @property
    def section(self) -> Imitation:
        """The imitation section.

        Raises
        ------
        ConfigError
            If the configuration has none.
        """
        if self.config.imitation is None:
            raise missing(self.config, "imitation")
        return self.config.imitation

    def games(self) -> list[str]:
        """Return the games whose people are imitated; none without the chapter."""
        if self.config.imitation is None:
            return []
        return [game for game in GAMES if getattr(self.config.imitation, game) is not None]

    def of(self, game: str) -> GameImitation:
        """Return one game's settings.

        Raises
        ------
        ConfigError
            If the configuration has none.
        """
        found: GameImitation | None = getattr(self.section, game, None)
        if found is None:
            raise ConfigError(f"config: imitation.{game}: missing, so nobody's {game} is imitated")
        return found

    # --- what there is -------------------------------------------------------------------

    def bins(self, game: str) -> list[str]:
        """Return the Elo bins as paths name them, from low to high."""
        bins = self.of(game).elo_bins
        return [f"{low}-{low + bins.width}" for low in range(bins.low, bins.high, bins.width)]

    def folds(self, game: str) -> list[str]:
        """Return the folds that are held back one after another."""
        return [str(fold) for fold in range(self.of(game).folds)]

    def models(self, game: str) -> list[str]:
        """Return the models of a game, in the order of tables."""
        given = self.of(game).models
        names = [name for name in type(given).model_fields if getattr(given, name) is not None]
        parts = {part for name in names for part in MODELS[name].parts}
        return [name for name in MODELS if name in names or name in parts]

    def bins_of(self, game: str, model: str) -> list[str]:
        """Return the bins that a model learns from, each by itself."""
        return self.bins(game) if MODELS[model].by_bin else [ALL]

    def settings_of(self, game: str, model: str) -> Any:
        """Return the settings of a model, or of the model whose settings it has."""
        return getattr(self.of(game).models, MODELS[model].section or model)

    def sizes(self, game: str) -> dict[str, int]:
        """Return how many bins, folds, models and jobs of training a game has."""
        own = f"/imitation/{game}/"
        phases = [phase.removesuffix(".parquet").split("/")[2:] for phase in self.phases()]
        tried = [
            len(self.candidates(game, net, bin_, phase))
            for of, _, net, bin_, phase in phases
            if of == game
        ]
        final = [folder for folder in self.final_models() if own in folder]
        folds = [self.predictions(game, model) for model in self.models(game)]
        return {
            "bins": len(self.bins(game)),
            "folds": len(self.folds(game)),
            "models": len(self.models(game)),
            "candidates": sum(tried),
            "trainings": sum(map(len, folds)) + len(final),
        }

    # --- files ---------------------------------------------------------------------------

    def sources(self, game: str, table: str) -> tuple[str, ...]:
        """Return the names of the sources behind a table of samples."""
        return self.of(game).rated if table == RATED else self.of(game).unrated

    def shards(self, game: str, table: str) -> list[str]:
        """Return the tables of games behind a table of samples."""
        wanted = self.sources(game, table)
        return [
            f"results/records/games/{source.name}/{shard}.parquet"
            for source in self.config.sources
            if source.name in wanted
            for shard in range(source.shards)
        ]

    def nets(self, game: str) -> list[str]:
        """Return the models whose structure is searched."""
        return [name for name in self.models(game) if MODELS[name].search == name]

    def last_phase(self, net: str) -> int:
        """Return how many phases the search of a net has."""
        return len(PHASES[kind_of(net)])

    def phases(self) -> list[str]:
        """Return the table of every phase of every search."""
        return [
            f"results/imitation/{game}/search/{net}/{name}/{phase}.parquet"
            for game in self.games()
            for net in self.nets(game)
            for name in self.bins_of(game, net)
            for phase in range(1, self.last_phase(net) + 1)
        ]

    def candidates(self, game: str, net: str, bin: str, phase: str) -> list[str]:
        """Return the tables of a phase's candidates, in the order of the grid."""
        return [
            f"results/imitation/{game}/search/{net}/{bin}/{phase}/{name}.parquet"
            for name in self._tried(game, net, phase)
        ]

    def values(self, game: str, net: str, phase: str, candidate: str) -> Mapping[str, Any]:
        """Return the values that a candidate stands for.

        Raises
        ------
        ConfigError
            If the grid has it not.
        """
        tried = self._tried(game, net, phase)
        if candidate not in tried:
            raise ConfigError(f"config: imitation.{game}.models.{net}.grid has no {candidate}")
        return tried[candidate]

    def _tried(self, game: str, net: str, phase: str) -> dict[str, Mapping[str, Any]]:
        pairs: Structures = candidates(self.settings_of(game, net), int(phase))
        return {candidate_name(pair): pair for pair in pairs}

    def before(self, game: str, net: str, bin: str, phase: str) -> list[str]:
        """Return the table of the phase before, if there is one."""
        if int(phase) == 1:
            return []
        return [f"results/imitation/{game}/search/{net}/{bin}/{int(phase) - 1}.parquet"]

    def searched(self, game: str, model: str, bin: str) -> list[str]:
        """Return the table of the last phase of a model's search, if it has one."""
        net = MODELS[model].search
        if net is None:
            return []
        return [f"results/imitation/{game}/search/{net}/{bin}/{self.last_phase(net)}.parquet"]

    def pretrained(self, game: str, model: str) -> list[str]:
        """Return the folder of the net that a model starts from, if it does and there is one."""
        if not MODELS[model].pretrained or not self.of(game).unrated:
            return []
        return [f"results/imitation/{game}/pretrained"]

    def parts(self, game: str, model: str, fold: str) -> dict[str, str]:
        """Return the folders of the models that a model is put together from, by name."""
        return {
            part: f"results/imitation/{game}/models/{part}/{ALL}/{fold}"
            for part in MODELS[model].parts
        }

    def training_options(self, game: str, model: str, bin: str, fold: str) -> list[str]:
        """Return the command-line options for what a training reads besides samples."""
        return [
            *(f"--phase={file}" for file in self.searched(game, model, bin)),
            *(f"--pretrained={folder}" for folder in self.pretrained(game, model)),
            *(f"--part={name}={folder}" for name, folder in self.parts(game, model, fold).items()),
        ]

    def threads(self, game: str, model: str) -> int:
        """Return the threads that a model's training is pinned to."""
        settings = self.settings_of(game, model)
        training = getattr(settings, "training", getattr(settings, "fine_tuning", settings))
        return int(getattr(training, "threads", 1))

    def pretraining_threads(self, game: str) -> int:
        """Return the threads that pre-training is pinned to."""
        return int(self.settings_of(game, "one_net").pretraining.threads)

    def predictions(self, game: str, model: str) -> list[str]:
        """Return what a model predicted of every fold, learning from every bin of its own."""
        return [
            f"results/imitation/{game}/predictions/{model}/{name}/{fold}.parquet"
            for name, fold in product(self.bins_of(game, model), self.folds(game))
        ]

    def final_models(self) -> list[str]:
        """Return the folders of the models that no game is held back from, if they are wanted."""
        return [
            f"results/imitation/{game}/models/{model}/{name}/{FINAL}"
            for game in self.games()
            if self.of(game).final
            for model in self.models(game)
            if not MODELS[model].ablation
            for name in self.bins_of(game, model)
        ]

    def samples(self) -> list[str]:
        """Return the samples of rated games, and of the unrated ones of games that have any."""
        return [
            f"results/imitation/{game}/{table}.parquet"
            for game in self.games()
            for table in (RATED, UNRATED)
            if self.sources(game, table)
        ]

    def scores(self) -> list[str]:
        """Return the measures of every model of every game."""
        return [
            f"results/imitation/{game}/scores/{model}.parquet"
            for game in self.games()
            for model in self.models(game)
        ]

    def parquet(self) -> list[str]:
        """Return every Parquet file that the database shows."""
        models = [(game, model) for game in self.games() for model in self.models(game)]
        predictions = [file for game, model in models for file in self.predictions(game, model)]
        return [*self.samples(), *predictions, *self.scores()]

    def ceilings(self) -> list[str]:
        """Return the ceiling of every game."""
        return [f"results/imitation/{game}/ceiling.parquet" for game in self.games()]


# --- faults ------------------------------------------------------------------------------


def faults(config: Config) -> list[str]:
    """Return what of the chapter's section does not go with the rest of the configuration."""
    plan = ImitationPlan(config)
    return [fault for game in plan.games() for fault in _faults(plan, game)]


def _faults(plan: ImitationPlan, game: str) -> Iterator[str]:
    sources = {source.name: source for source in plan.config.sources}
    settings = plan.of(game)
    for key, table in (("rated", RATED), ("unrated", UNRATED)):
        names = plan.sources(game, table)
        where = f"  imitation.{game}.{key}"
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                yield f"{where}: source {name} is named twice"
            yield from _wrong_source(where, name, game, sources)
    if settings.elo_bins.low < 0:
        yield (
            f"  imitation.{game}.elo_bins.low: {settings.elo_bins.low} is below 0, and 0 stands"
            " for players without an Elo"
        )
    if settings.unrated and settings.models.one_net is None:
        yield (
            f"  imitation.{game}.unrated: only models.one_net learns from unrated games, and it is"
            " left out; add it or leave unrated out"
        )


def _wrong_source(where: str, name: str, game: str, sources: Mapping[str, Source]) -> Iterator[str]:
    if name not in sources:
        known = ", ".join(n for n, source in sources.items() if source.game == game) or "none"
        yield f"{where}: no source is called {name}; sources of {game}: {known}"
    elif sources[name].game != game:
        yield f"{where}: source {name} holds {sources[name].game}, not {game}"


# --- specs -------------------------------------------------------------------------------


def mark_of(stage: str, wildcards: Mapping[str, str]) -> str:
    """Return the code mark of a job: of its stage and of what the stage finds by name."""
    modules = [f"tabia.{stage}"]
    if stage == "imitation.samples":
        modules.append(BOARDS[wildcards["game"]])
    if stage in _SHOWING:
        modules.append(VIEWS[wildcards["game"]])
    if stage == "imitation.candidate":
        modules.append(MODELS[wildcards["net"]].module)
    if stage == "imitation.train":
        modules.append(MODELS[wildcards["model"]].module)
    return " ".join(map(mark, modules))


def _samples(plan: ImitationPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    game = wildcards["game"]
    return {
        "game": game,
        "rated": wildcards["samples"] == RATED,
        "game_share": plan.of(game).game_share,
        **plan.of(game).model_dump(include={"board_size"}),
    }


def _pretrain(plan: ImitationPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    settings = plan.settings_of(wildcards["game"], "one_net")
    return {
        "seed": plan.section.seed,
        "settings": settings.model_dump(mode="json", exclude={"fine_tuning"}),
    }


def _parts(plan: ImitationPlan, game: str) -> dict[str, Any]:
    """Which rows a model learns from. Other bins than a job's own do not concern it."""
    return plan.of(game).model_dump(include={"vocabulary", "member", "folds", "validation"})


def _candidate(plan: ImitationPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    game, net, phase = (wildcards[key] for key in ("game", "net", "phase"))
    values = plan.values(game, net, phase, wildcards["candidate"])
    # The defaults that matter are those that the first phase does not decide; later phases find
    # every variable in the table of the phase before.
    default = set(PHASES[kind_of(net)][0])
    settings = plan.settings_of(game, net).model_dump(
        mode="json",
        include={"training", "default"} if int(phase) == 1 else {"training"},
        exclude={"default": default},
    )
    return {
        "seed": plan.section.seed,
        "game": game,
        "net": net,
        "bin": wildcards["bin"],
        "values": dict(values),
        "search_fold": plan.of(game).search_fold,
        "settings": settings,
        **_parts(plan, game),
    }


def _train(plan: ImitationPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    game, model = wildcards["game"], wildcards["model"]
    # What concerns the search alone, and what pre-training alone, retrains nothing.
    elsewhere = {"grid", "default", "pretraining", "pretraining_positions"}
    return {
        "seed": plan.section.seed,
        "game": game,
        "model": model,
        "module": MODELS[model].module,
        "settings": plan.settings_of(game, model).model_dump(mode="json", exclude=elsewhere),
        **_parts(plan, game),
    }


def _scores(plan: ImitationPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    game = wildcards["game"]
    return {
        "seed": plan.section.seed,
        "scores": plan.of(game).scores.model_dump(),
        "member": plan.of(game).member,
        "bins": plan.bins(game),
    }


def _ceiling(plan: ImitationPlan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    game = wildcards["game"]
    return {
        "scores": plan.of(game).scores.model_dump(include={"confidence"}),
        "member": plan.of(game).member,
        "bins": plan.bins(game),
    }


def _summary(plan: ImitationPlan, _: Mapping[str, str]) -> dict[str, Any]:
    return {
        "seed": plan.section.seed,
        "games": {
            game: {"scores": plan.of(game).scores.model_dump(), "bins": plan.bins(game)}
            for game in plan.games()
        },
    }


SLICES: Mapping[str, Callable[[ImitationPlan, Mapping[str, str]], dict[str, Any]]] = {
    "imitation.samples": _samples,
    "imitation.pretrain": _pretrain,
    "imitation.candidate": _candidate,
    "imitation.phase": lambda _, __: {},
    "imitation.train": _train,
    "imitation.scores": _scores,
    "imitation.ceiling": _ceiling,
    "imitation.summary": _summary,
}
"""What each stage reads of the configuration. A key that is missing here cannot matter to it."""
