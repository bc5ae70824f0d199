"""The plan: what Snakemake needs to know, from a checked configuration.

Rules ask here for lists of files and for specs; rule files hold no logic of their own.
Standard library, yaml and pydantic only, because every dry run and every cluster job reads it.
"""

from __future__ import annotations

import csv
import glob
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabia.app import imitation_plan, search_plan
from tabia.app.config import Config, ConfigError, missing, parse
from tabia.app.imitation_plan import ImitationPlan
from tabia.app.marks import mark, own, revision
from tabia.app.same_files import identity
from tabia.app.search_plan import SearchPlan
from tabia.app.shards import shard_ranges
from tabia.evaluation.config import Evaluation
from tabia.evaluation.models import modules as model_modules
from tabia.records.by_game import BOARDS, FILES
from tabia.records.config import Records, Source
from tabia.records.xiangqi import formats
from tabia.report import catalog
from tabia.report.models import most_telling
from tabia.tables.spec import Spec

__all__ = ["Plan"]

_SPEC_LIMIT = 100 * 1024  # one argument of a process may have 128 KiB
_FILES_LIMIT = 60 * 1024  # characters of file names on one command line

ARCHIVES = Path("resources/archives.csv")
PINS = Path("resources/pins")


@dataclass(frozen=True)
class Plan:
    """Files and specs of one configured run.

    Attributes
    ----------
    config
        The checked configuration.
    archives
        Rows of resources/archives.csv by name.
    """

    config: Config
    archives: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, raw: Mapping[str, Any], *, name: str = "config") -> Plan:
        """Check `raw` and the files it names; `name` leads the error message.

        Raises
        ------
        ConfigError
            With every fault of the configuration, or every fault of its sources.
        """
        plan = cls(parse(raw, name=name), _read_archives())
        faults = [fault for source in plan.config.sources for fault in plan._faults(source)]
        faults += plan._read_twice()
        wrong = imitation_plan.faults(plan.config) + search_plan.faults(plan.config)
        if faults or wrong:
            lines = [f"{name}: sources that cannot be read", *faults] if faults else []
            lines += [f"{name}: a chapter that cannot run", *wrong] if wrong else []
            raise ConfigError("\n".join(lines))
        return plan

    # --- records -------------------------------------------------------------------------

    @property
    def records(self) -> Records:
        """The section of records.

        Raises
        ------
        ConfigError
            If the configuration has none.
        """
        if self.config.records is None:
            raise ConfigError(
                "config: records: missing, so no games can be read; add records.sources, the game"
                " files, or ask for search or report"
            )
        return self.config.records

    def source(self, name: str) -> Source:
        """Return the source called `name`.

        Raises
        ------
        ConfigError
            If the configuration has none of this name.
        """
        for source in self.records.sources:
            if source.name == name:
                return source
        known = ", ".join(source.name for source in self.records.sources)
        raise ConfigError(f"config: records.sources: none is called {name}; there are {known}")

    def files(self, source: Source) -> list[str]:
        """Return the files that a path or glob names now, in order of name."""
        if source.archive is not None:
            return [f"results/records/archives/{source.archive}"]
        if source.path is not None and Path(source.path).is_file():
            return [source.path]  # also where its name holds glob's own signs
        # glob takes relative and absolute patterns alike, which Path.glob does not.
        found = glob.glob(source.path or "", recursive=True)  # noqa: PTH207
        return sorted(name for name in found if Path(name).is_file())

    def in_blocks(self, source: Source) -> bool:
        """Return True if the source is one file that several shards share."""
        return source.shards > 1 and len(self.files(source)) == 1

    def shard_files(self, name: str, shard: str) -> list[str]:
        """Return the files that one shard of a source reads; a file's name decides its shard."""
        source = self.source(name)
        if self.in_blocks(source):
            return []
        return [f for f in self.files(source) if _shard_of(f, source.shards) == int(shard)]

    def shard_blocks(self, name: str) -> dict[str, str]:
        """Return the folder of blocks, for a source that is cut into blocks."""
        if not self.in_blocks(self.source(name)):
            return {}
        return {"blocks": f"results/records/blocks/{name}"}

    def blocks_options(self, name: str) -> list[str]:
        """Return the command-line options that name a source's blocks and their index."""
        return [
            option
            for folder in self.shard_blocks(name).values()
            for option in (f"--blocks={folder}/games.zst", f"--index={folder}/index.parquet")
        ]

    def headers(self, name: str) -> list[str]:
        """Return the file of game headers that a source's files are joined with, if it has one."""
        headers = self.source(name).headers
        return [] if headers is None else [headers]

    def headers_options(self, name: str) -> list[str]:
        """Return the command-line option that names a source's file of game headers."""
        return [f"--headers={file}" for file in self.headers(name)]

    def games(self) -> list[str]:
        """Return the games of this run, in the order of the sources."""
        return list(dict.fromkeys(source.game for source in self.config.sources))

    def shards(self, table: str, game: str | None = None) -> list[str]:
        """Return one file a shard of every source, or of those of one game: ``games`` and so on."""
        return [
            f"results/records/{table}/{source.name}/{shard}.parquet"
            for source in self.config.sources
            if game in (None, source.game)
            for shard in range(source.shards)
        ]

    def buckets(self, table: str, game: str | None = None) -> list[str]:
        """Return one file a position bucket of every game, or of one: ``positions``, ``leaks``."""
        return [
            f"results/records/{table}/{name}/{bucket}.parquet"
            for name in self.games()
            if game in (None, name)
            for bucket in range(self.records.positions.buckets)
        ]

    # --- evaluation ----------------------------------------------------------------------

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation section.

        Raises
        ------
        ConfigError
            If the configuration has none.
        """
        if self.config.evaluation is None:
            raise missing(self.config, "evaluation")
        return self.config.evaluation

    def label_shards(self, table: str) -> list[str]:
        """Return one file a labelling shard: ``labels``, ``label_rejects``."""
        if self.config.evaluation is None:
            return []
        count = self.config.evaluation.labels.shards
        return [f"results/evaluation/{table}/{shard}.parquet" for shard in range(count)]

    def runs(self, table: str) -> list[str]:
        """Return one file a trained model: ``predictions``, ``times``, ``scores``."""
        return [f"results/evaluation/{table}/{run}.parquet" for run in self._runs()]

    def _runs(self) -> list[str]:
        if self.config.evaluation is None:
            return []
        return [
            f"{filter_}/{scenario}/{name}/{seed}"
            for filter_ in self.config.evaluation.filters
            for scenario in self.config.evaluation.scenarios
            for name in self._run_names()
            if scenario in model_modules.SCENARIOS.get(name, (1, 2, 3))
            for seed in range(getattr(self.settings_of(name), "seeds", 1))
        ]

    def _run_names(self) -> list[str]:
        """Return the models of this run, and those that are trained by position once more."""
        models = self.evaluation.models
        names = [name for name in type(models).model_fields if getattr(models, name) is not None]
        again = [name for name in self.evaluation.by_position if name in names]
        return names + [name + model_modules.BY_POSITION for name in again]

    def settings_of(self, run: str) -> Any:
        """Return the settings of a run's model."""
        return getattr(self.evaluation.models, model_modules.split_by(run)[0])

    def features(self, run: str) -> dict[str, str]:
        """Return the tables of inputs that a run's model reads, by group."""
        groups = model_modules.INPUTS[model_modules.split_by(run)[0]]
        return {
            name: f"results/evaluation/{name}.parquet"
            for name in model_modules.TABLES
            if name in groups
        }

    def choice(self, filter_: str, scenario: str, run: str) -> list[str]:
        """Return the table that holds a model's chosen size, if there is more than one to try."""
        if len(getattr(self.settings_of(run), "sizes", ())) < 2:
            return []
        model, _ = model_modules.split_by(run)
        return [f"results/evaluation/choices/{filter_}/{scenario}/{model}.parquet"]

    def choices(self) -> list[str]:
        """Return every table of chosen sizes."""
        runs = (run.split("/") for run in self._runs())
        files = (
            file
            for filter_, scenario, run, _ in runs
            for file in self.choice(filter_, scenario, run)
        )
        return list(dict.fromkeys(files))

    def feature_options(self, run: str) -> list[str]:
        """Return the command-line options that name a run's tables of inputs."""
        return [f"--{name}={file}" for name, file in self.features(run).items()]

    def training_threads(self, model: str) -> int:
        """Return the threads that a model's training is pinned to."""
        return int(getattr(self.settings_of(model), "threads", 1))

    def training_memory(self, model: str) -> int:
        """Return the megabytes that a model's training may take.

        3,000 MB, and for every position that is sampled its inputs and three numbers more (the
        target and the engine's values), float32, six times over: tables, blocks, what a library
        keeps of them, and predictions. Where the sample takes all positions there are, their
        number is not known before the run, and 4,000 MB stand for them.
        """
        count = self.evaluation.sample.positions
        if count is None:
            return 7000
        groups = model_modules.INPUTS[model_modules.split_by(model)[0]]
        width = sum(model_modules.WIDTHS[group] for group in groups)
        return 3000 + count * (width + 3) * 4 * 6 // 10**6

    @staticmethod
    def short(files: Iterable[str]) -> str:
        """Return a list of files as one argument; runs of numbered shards are shortened."""
        return " ".join(shard_ranges(files))

    # --- imitation -----------------------------------------------------------------------

    @property
    def imitation(self) -> ImitationPlan:
        """The files of the imitation chapter."""
        return ImitationPlan(self.config)

    # --- search --------------------------------------------------------------------------

    @property
    def search(self) -> SearchPlan:
        """The files of the search chapter."""
        return SearchPlan(self.config)

    # --- report --------------------------------------------------------------------------

    def chapters(self) -> list[str]:
        """Return the chapters of this run, in the order of the report."""
        chapters = ("records", "evaluation", "imitation", "search")
        return [name for name in chapters if getattr(self.config, name) is not None]

    def tables(self, chapter: str | None = None) -> list[str]:
        """Return the result tables of one chapter, or of all."""
        return [
            f"results/tables/{name}.parquet"
            for name in catalog.TABLES
            if name.split("_")[0] in ([chapter] if chapter else self.chapters())
        ]

    def texts(self, chapter: str | None = None) -> list[str]:
        """Return the CSV and Markdown files that stand beside result tables."""
        stems = [table.removesuffix(".parquet") for table in self.tables(chapter)]
        return [stem + end for stem in stems for end in (".csv", ".md")]

    def wide(self, chapter: str | None = None) -> list[str]:
        """Return the wide tables of one chapter, or of all: the layouts that pages read."""
        return [
            f"results/tables/wide/{name}.json"
            for name in catalog.WIDE
            if name.split("_")[0] in ([chapter] if chapter else self.chapters())
        ]

    def wide_texts(self, chapter: str | None = None) -> list[str]:
        """Return the wide tables as Markdown."""
        return [name.removesuffix(".json") + ".md" for name in self.wide(chapter)]

    def wide_inputs(self, wide: str) -> list[str]:
        """Return the result tables that a wide table reads."""
        return [f"results/tables/{name}.parquet" for name in catalog.WIDE[wide].tables]

    def figures(self) -> list[str]:
        """Return the figures of this run."""
        return [
            f"results/figures/{name}.json"
            for name in catalog.FIGURES
            if name.split("_")[0] in self.chapters()
        ]

    def pictures(self) -> list[str]:
        """Return the figures as SVG."""
        return [figure.removesuffix(".json") + ".svg" for figure in self.figures()]

    def figure_tables(self, figure: str) -> list[str]:
        """Return the result tables that a figure reads."""
        return [f"results/tables/{name}.parquet" for name in catalog.FIGURES[figure].tables]

    def parquet(self) -> list[str]:
        """Return every Parquet file that the database shows."""
        records = ("games", "rejects", "counts", "splits", "occurrences")
        files = [file for table in records for file in self.shards(table)]
        files += self.buckets("positions")
        if self.config.evaluation:
            files += ["results/evaluation/sample.parquet", "results/evaluation/dataset.parquet"]
            files += [f for table in ("labels", "label_rejects") for f in self.label_shards(table)]
            groups = {name for run in self._run_names() for name in self.features(run)}
            files += [f"results/evaluation/{name}.parquet" for name in sorted(groups)]
            files += self.choices()
            files += [f for table in ("predictions", "times", "scores") for f in self.runs(table)]
        if self.config.imitation:
            files += self.imitation.parquet()
        files += self.search.parquet()
        return files

    def figure_predictions(self, figure: str) -> list[str]:
        """Return the prediction files that a figure reads: the first seed of some models."""
        if not catalog.FIGURES[figure].predictions:
            return []
        names = [run for run in self._run_names() if model_modules.split_by(run)[1] == "game"]
        shown = most_telling(names, catalog.FIGURES[figure].predictions)
        runs = (run.split("/") for run in self._runs())
        return [
            f"results/evaluation/predictions/{filter_}/{scenario}/{name}/{seed}.parquet"
            for filter_, scenario, name, seed in runs
            if name in shown and seed == "0"
        ]

    def figure_dataset(self, figure: str) -> list[str]:
        """Return the dataset that a figure looks positions up in."""
        return ["results/evaluation/dataset.parquet"] if catalog.FIGURES[figure].dataset else []

    def figure_options(self, figure: str) -> list[str]:
        """Return the command-line options for what a figure reads besides tables."""
        options = []
        if predictions := self.figure_predictions(figure):
            options.append(f"--predictions={self.short(predictions)}")
        return options + [f"--dataset={file}" for file in self.figure_dataset(figure)]

    # --- specs ---------------------------------------------------------------------------

    def spec(self, stage: str, **wildcards: str) -> str:
        """Return the ``--spec`` of a job.

        Parameters
        ----------
        stage
            ``"room.stage"``; the room's module of that name runs it.

        Raises
        ------
        ConfigError
            If the spec is too long for a command line.
        """
        config = _SLICES[stage](self, wildcards)
        text = Spec(stage, self._mark(stage, wildcards), wildcards, config).text
        if len(text.encode()) > _SPEC_LIMIT:
            raise ConfigError(f"config: the part that {stage} reads is over {_SPEC_LIMIT} bytes")
        return text

    def _mark(self, stage: str, wildcards: Mapping[str, str]) -> str:
        if stage == "evaluation.labels":
            # Engine code counts by its hand-raised revision; the code that lays out the table
            # counts as any other, for relabelling from the store is cheap.
            return f"{revision('tabia.engines.label')} {own('tabia.evaluation.labels')}"
        if stage == "records.fetch":
            return revision("tabia.records.fetch")
        if stage.startswith("sample."):
            return mark(f"tabia.app.{stage.replace('.', '_')}")
        if stage in imitation_plan.SLICES:
            return imitation_plan.mark_of(stage, wildcards)
        if stage in search_plan.SLICES:
            return search_plan.mark_of(stage)
        code = mark(f"tabia.{stage}")
        if stage in ("records.blocks", "records.games", "records.occurrences"):
            game = self.source(wildcards["source"]).game
            modules = [BOARDS[game] if stage == "records.occurrences" else FILES[game]]
            if (stage, game) == ("records.games", "xiangqi"):
                modules += sorted(set(formats.MODULES.values()))
            return " ".join([code, *map(mark, modules)])
        if stage in ("evaluation.train", "evaluation.choose"):
            model, _ = model_modules.split_by(wildcards["model"])
            return f"{code} {mark(model_modules.MODULES[model])}"
        if stage == "report.figure":
            return f"{code} {mark(catalog.FIGURES[wildcards['figure']].module)}"
        if stage == "report.wide":
            return f"{code} {mark(catalog.WIDE[wildcards['wide']].module)}"
        return code

    def _faults(self, source: Source) -> list[str]:
        if source.archive is not None:
            if source.archive in self.archives:
                return []
            known = ", ".join(self.archives) or "none"
            return [f"  source {source.name}: no archive {source.archive} in {ARCHIVES} ({known})"]
        if source.headers is not None and not Path(source.headers).is_file():
            return [f"  source {source.name}: no file of headers {source.headers}"]
        files = self.files(source)
        if not files:
            return [f"  source {source.name}: no file matches {source.path}"]
        if broken := [name for name in files if not name.isprintable() or set(name) & {"{", "}"}]:
            return [
                f"  source {source.name}: {name!r}: rename it; tables and command lines need"
                " names in UTF-8 without control characters and braces"
                for name in broken
            ]
        longest = max(
            sum(len(f) + 3 for f in files if _shard_of(f, source.shards) == shard)
            for shard in range(source.shards)
        )
        if longest > _FILES_LIMIT:
            enough = source.shards * longest // _FILES_LIMIT + 1
            return [
                f"  source {source.name}: {len(files)} files in {source.shards} shards make command"
                f" lines that are too long; use at least {enough} shards"
            ]
        return []

    def _read_twice(self) -> list[str]:
        """Return a fault for each pair of sources that read one file, by whatever name."""
        readers: dict[object, tuple[str, str]] = {}
        faults: dict[tuple[str, str], str] = {}
        for source in self.config.sources:
            for file in self.files(source):
                first, name = readers.setdefault(identity(Path(file)), (source.name, file))
                if (first, name) != (source.name, file):
                    who = f"sources {first} and {source.name} read"
                    who = f"source {first} reads" if first == source.name else who
                    as_well = "" if file == name else f", which is {file} too"
                    faults.setdefault(
                        (first, source.name),
                        f"  {who} {name}{as_well}; name it once, or its games count twice",
                    )
        return list(faults.values())


def _shard_of(file: str, shards: int) -> int:
    """Spread files by name, so that a new file changes one shard only."""
    return int.from_bytes(hashlib.sha256(file.encode()).digest()[:8], "big") % shards


def _read_archives() -> dict[str, Mapping[str, str]]:
    if not ARCHIVES.is_file():
        return {}
    with ARCHIVES.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


_Slice = Callable[[Plan, Mapping[str, str]], dict[str, Any]]


def _records_games(plan: Plan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    source = plan.source(wildcards["source"])
    return {"source": source.model_dump(include={"name", "game", "played_by", "shards"})}


def _records_occurrences(plan: Plan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    return {
        "game": plan.source(wildcards["source"]).game,
        "positions": plan.records.positions.model_dump(mode="json"),
    }


def _records_splits(plan: Plan, _: Mapping[str, str]) -> dict[str, Any]:
    records = plan.records
    return {"elo_bins": records.elo_bins.model_dump(), "splits": records.splits.model_dump()}


def _evaluation_train(plan: Plan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    evaluation = plan.evaluation
    model, by = model_modules.split_by(wildcards["model"])
    settings = plan.settings_of(model)
    any_threads = getattr(settings, "any_threads", False)
    # A run knows its own seed from its wildcard; how many there are does not concern it.
    without = {"seeds", "threads"} if any_threads else {"seeds"}
    return {
        "seed": evaluation.seed,
        "model": model,
        "inputs": list(model_modules.INPUTS[model]),
        "settings": settings.model_dump(mode="json", exclude=without),
        "any_threads": any_threads,
        "splits": plan.records.splits.model_dump() if by == "position" else None,
        # For the card, so that the model's inputs can be made again.
        "labels": evaluation.labels.model_dump(mode="json", include={"inputs", "target"}),
    }


def _evaluation_scores(plan: Plan, wildcards: Mapping[str, str]) -> dict[str, Any]:
    model, by = model_modules.split_by(wildcards["model"])
    return {
        "seed": plan.evaluation.seed,
        "model": model,
        "split_by": by,
        "elo_bins": plan.records.elo_bins.model_dump(),
        "scores": plan.evaluation.scores.model_dump(),
    }


def _of_imitation(stage: str) -> _Slice:
    return lambda plan, wildcards: imitation_plan.SLICES[stage](plan.imitation, wildcards)


def _of_search(stage: str) -> _Slice:
    return lambda plan, wildcards: search_plan.SLICES[stage](plan.search, wildcards)


# What each stage reads of the configuration. A key that is missing here cannot matter to it.
_SLICES: dict[str, _Slice] = {
    "records.fetch": lambda plan, w: {
        "archive": {
            key: plan.archives[w["archive"]][key]
            for key in ("name", "url", "sha256", "sha256_url", "bytes")
        }
    },
    "records.blocks": lambda plan, w: {
        "source": plan.source(w["source"]).model_dump(include={"name", "game", "shards"})
    },
    "records.games": _records_games,
    "records.splits": _records_splits,
    "records.occurrences": _records_occurrences,
    "records.positions": lambda plan, _: {
        "positions": plan.records.positions.model_dump(mode="json"),
        "splits": plan.records.splits.model_dump(),
    },
    "records.summary": _records_splits,
    "evaluation.sample": lambda plan, _: {
        "seed": plan.evaluation.seed,
        "sample": plan.evaluation.sample.model_dump(),
    },
    "evaluation.labels": lambda plan, _: {"labels": plan.evaluation.labels.model_dump(mode="json")},
    "evaluation.dataset": lambda plan, _: {
        "labels": plan.evaluation.labels.model_dump(mode="json", include={"inputs", "target"}),
    },
    "evaluation.terms": lambda _, __: {},
    "evaluation.tactics": lambda _, __: {},
    "evaluation.choose": _evaluation_train,
    "evaluation.train": _evaluation_train,
    "evaluation.scores": _evaluation_scores,
    "evaluation.summary": lambda plan, _: {
        "seed": plan.evaluation.seed,
        "filters": list(plan.evaluation.filters),
        "scores": plan.evaluation.scores.model_dump(),
    },
    "sample.chess": lambda _, w: {
        "seed": {"chess": 1, "tiny": 2}[w["size"]],
        "games": {"chess": 400, "tiny": 24}[w["size"]],
        "elos": [1350, 1600, 1850, 2100, 2350, 2600, 2850],
        "nodes": 4000,
        "max_plies": 240,
        "event": "tabia sample (engine play)",
        "date": "2026.11.30",
    },
    "sample.xiangqi": lambda _, w: {
        "seed": {"xiangqi": 3, "xiangqi-tiny": 4}[w["size"]],
        "games": {"xiangqi": 200, "xiangqi-tiny": 16}[w["size"]],
        "elos": [1350, 1600, 1850, 2100, 2350, 2600, 2850],
        "nodes": 500,
        "max_plies": 240,
        "event": "tabia sample (engine play)",
        "date": "2026.11.30",
    },
    "report.figure": lambda plan, _: {"points": plan.config.report.points},
    "report.wide": lambda _, __: {},
    "report.pages": lambda plan, _: {"title": plan.config.report.title},
    "report.database": lambda _, __: {},
    **{stage: _of_imitation(stage) for stage in imitation_plan.SLICES},
    **{stage: _of_search(stage) for stage in search_plan.SLICES},
}
