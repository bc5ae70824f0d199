"""The stages, one subcommand each, as the rules call them: ``tabia records games --spec …``.

Heavy imports stay inside the functions: completion runs this program at every Tab.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabia.app.imitation_stages import imitation
from tabia.app.search_stages import search
from tabia.app.stage_options import FileList, SpecOption
from tabia.app.stage_options import paths as _paths
from tabia.app.stage_options import spec_of as _spec

__all__ = ["GROUPS"]

records = typer.Typer(help="Stages of the records chapter, as the rules call them.")
evaluation = typer.Typer(help="Stages of the evaluation chapter, as the rules call them.")
report = typer.Typer(help="Stages of the report, as the rules call them.")
sample = typer.Typer(help="The recipe of the bundled sample.")

GROUPS = {
    "records": records,
    "evaluation": evaluation,
    "imitation": imitation,
    "search": search,
    "report": report,
    "sample": sample,
}
"""One group of subcommands a chapter."""

# --- records -----------------------------------------------------------------------------


@records.command("fetch")
def records_fetch(spec: SpecOption, archive: Annotated[Path, typer.Option()]) -> None:
    """Download an archive, with resume, retries and checksum."""
    from tabia.records import fetch

    fetch.run(_spec("records.fetch", spec), archive=archive)


@records.command("blocks")
def records_blocks(
    spec: SpecOption,
    file: Annotated[Path, typer.Option()],
    blocks: Annotated[Path, typer.Option()],
    index: Annotated[Path, typer.Option()],
) -> None:
    """Cut one big file into blocks of whole games that shards can read apart."""
    from tabia.records import blocks as stage

    stage.run(_spec("records.blocks", spec), file=file, blocks=blocks, index=index)


@records.command("games")
def records_games(
    spec: SpecOption,
    games: Annotated[Path, typer.Option()],
    rejects: Annotated[Path, typer.Option()],
    counts: Annotated[Path, typer.Option()],
    blocks: Annotated[Path | None, typer.Option()] = None,
    index: Annotated[Path | None, typer.Option()] = None,
    headers: Annotated[Path | None, typer.Option(help="Game headers kept apart.")] = None,
    files: Annotated[list[Path] | None, typer.Argument(help="Game files.")] = None,
) -> None:
    """Read game files into the games, rejects and counts tables of one shard."""
    from tabia.app import stage_inputs
    from tabia.records import games as stage

    checked = _spec("records.games", spec)
    stage_inputs.check_games(checked, files or [], blocks, index, headers)
    stage.run(
        checked,
        files=files or [],
        blocks=blocks,
        index=index,
        headers=headers,
        games=games,
        rejects=rejects,
        counts=counts,
    )


@records.command("splits")
def records_splits(
    spec: SpecOption,
    games: Annotated[Path, typer.Option()],
    splits: Annotated[Path, typer.Option()],
) -> None:
    """Give every game its split and Elo bins."""
    from tabia.records import splits as stage

    stage.run(_spec("records.splits", spec), games=games, splits=splits)


@records.command("occurrences")
def records_occurrences(
    spec: SpecOption,
    games: Annotated[Path, typer.Option()],
    occurrences: Annotated[Path, typer.Option()],
) -> None:
    """Play out the games of one shard into positions."""
    from tabia.records import occurrences as stage

    stage.run(_spec("records.occurrences", spec), games=games, occurrences=occurrences)


@records.command("positions")
def records_positions(
    spec: SpecOption,
    occurrences: FileList,
    positions: Annotated[Path, typer.Option()],
    leaks: Annotated[Path, typer.Option()],
) -> None:
    """De-duplicate one bucket of a game's positions over all its sources."""
    from tabia.records import positions as stage

    stage.run(
        _spec("records.positions", spec),
        occurrences=_paths(occurrences),
        positions=positions,
        leaks=leaks,
    )


@records.command("summary")
def records_summary(
    spec: SpecOption,
    counts: FileList,
    games: FileList,
    splits: FileList,
    leaks: FileList,
    games_table: Annotated[Path, typer.Option()],
    elo_bins_table: Annotated[Path, typer.Option()],
    leakage_table: Annotated[Path, typer.Option()],
) -> None:
    """Write the chapter's result tables."""
    from tabia.records import summary

    summary.run(
        _spec("records.summary", spec),
        counts=_paths(counts),
        games=_paths(games),
        splits=_paths(splits),
        leaks=_paths(leaks),
        games_table=games_table,
        elo_bins_table=elo_bins_table,
        leakage_table=leakage_table,
    )


# --- evaluation --------------------------------------------------------------------------


@evaluation.command("sample")
def evaluation_sample(
    spec: SpecOption, positions: FileList, sample: Annotated[Path, typer.Option()]
) -> None:
    """Choose the positions to label."""
    from tabia.evaluation import sample as stage

    stage.run(_spec("evaluation.sample", spec), positions=_paths(positions), sample=sample)


@evaluation.command("labels")
def evaluation_labels(
    spec: SpecOption,
    sample: Annotated[Path, typer.Option()],
    store: Annotated[Path, typer.Option(help="Label store, kept between runs.")],
    labels: Annotated[Path, typer.Option()],
    rejects: Annotated[Path, typer.Option()],
    threads: Annotated[int, typer.Option(min=1, help="Engines side by side.")] = 1,
) -> None:
    """Label one shard of the sample with the engine."""
    from tabia.evaluation import labels as stage

    stage.run(
        _spec("evaluation.labels", spec),
        sample=sample,
        labels=labels,
        rejects=rejects,
        store=store,
        threads=threads,
    )


@evaluation.command("dataset")
def evaluation_dataset(
    spec: SpecOption,
    sample: Annotated[Path, typer.Option()],
    labels: FileList,
    rejects: FileList,
    dataset: Annotated[Path, typer.Option()],
) -> None:
    """Join positions and labels into one row a position."""
    from tabia.evaluation import dataset as stage

    stage.run(
        _spec("evaluation.dataset", spec),
        sample=sample,
        labels=_paths(labels),
        label_rejects=_paths(rejects),
        dataset=dataset,
    )


FeatureTable = Annotated[Path | None, typer.Option(help="Table of this group of inputs.")]


def _features(**tables: Path | None) -> dict[str, Path]:
    return {name: path for name, path in tables.items() if path is not None}


@evaluation.command("terms")
def evaluation_terms(
    spec: SpecOption,
    sample: Annotated[Path, typer.Option()],
    terms: Annotated[Path, typer.Option()],
) -> None:
    """Compute the 194 evaluation terms of the sampled positions."""
    from tabia.evaluation import terms as stage

    stage.run(_spec("evaluation.terms", spec), sample=sample, terms=terms)


@evaluation.command("tactics")
def evaluation_tactics(
    spec: SpecOption,
    sample: Annotated[Path, typer.Option()],
    tactics: Annotated[Path, typer.Option()],
) -> None:
    """Compute the static tactical inputs of the sampled positions."""
    from tabia.evaluation import tactics as stage

    stage.run(_spec("evaluation.tactics", spec), sample=sample, tactics=tactics)


@evaluation.command("choose")
def evaluation_choose(
    spec: SpecOption,
    dataset: Annotated[Path, typer.Option()],
    choice: Annotated[Path, typer.Option()],
    terms: FeatureTable = None,
    tactics: FeatureTable = None,
) -> None:
    """Choose the size of a model on validation, once for all its seeds."""
    from tabia.app import stage_inputs
    from tabia.evaluation import choose as stage

    checked, features = _spec("evaluation.choose", spec), _features(terms=terms, tactics=tactics)
    stage_inputs.check_features(checked, features)
    stage.run(
        checked,
        dataset=dataset,
        features=features,
        choice=choice,
    )


@evaluation.command("train")
def evaluation_train(
    spec: SpecOption,
    dataset: Annotated[Path, typer.Option()],
    model: Annotated[Path, typer.Option(help="Folder of the finished model.")],
    predictions: Annotated[Path, typer.Option()],
    times: Annotated[Path, typer.Option()],
    terms: FeatureTable = None,
    tactics: FeatureTable = None,
    choice: Annotated[Path | None, typer.Option(help="Table with the chosen size.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Where results do not depend on it.")] = 1,
) -> None:
    """Train one model and predict with it."""
    from tabia.app import stage_inputs
    from tabia.evaluation import train

    checked, features = _spec("evaluation.train", spec), _features(terms=terms, tactics=tactics)
    stage_inputs.check_features(checked, features)
    train.run(
        checked,
        dataset=dataset,
        features=features,
        choice=choice,
        threads=threads,
        model=model,
        predictions=predictions,
        times=times,
    )


@evaluation.command("scores")
def evaluation_scores(
    spec: SpecOption,
    dataset: Annotated[Path, typer.Option()],
    predictions: Annotated[Path, typer.Option()],
    scores: Annotated[Path, typer.Option()],
) -> None:
    """Measure one model's errors, with intervals by game."""
    from tabia.evaluation import scores as stage

    stage.run(
        _spec("evaluation.scores", spec), dataset=dataset, predictions=predictions, scores=scores
    )


@evaluation.command("summary")
def evaluation_summary(
    spec: SpecOption,
    sample: Annotated[Path, typer.Option()],
    dataset: Annotated[Path, typer.Option()],
    rejects: FileList,
    scores: FileList,
    times: FileList,
    positions_table: Annotated[Path, typer.Option()],
    models_table: Annotated[Path, typer.Option()],
    by_elo_table: Annotated[Path, typer.Option()],
    by_phase_table: Annotated[Path, typer.Option()],
    by_value_table: Annotated[Path, typer.Option()],
    choices_table: Annotated[Path, typer.Option()],
    sizes_table: Annotated[Path, typer.Option()],
    times_table: Annotated[Path, typer.Option()],
    choices: FileList = "",
) -> None:
    """Write the chapter's result tables."""
    from tabia.evaluation import summary

    summary.run(
        _spec("evaluation.summary", spec),
        sample=sample,
        dataset=dataset,
        label_rejects=_paths(rejects),
        scores=_paths(scores),
        times=_paths(times),
        choices=_paths(choices),
        positions_table=positions_table,
        models_table=models_table,
        by_elo_table=by_elo_table,
        by_phase_table=by_phase_table,
        by_value_table=by_value_table,
        choices_table=choices_table,
        sizes_table=sizes_table,
        times_table=times_table,
    )


# --- report ------------------------------------------------------------------------------


@report.command("figure")
def report_figure(
    spec: SpecOption,
    figure: Annotated[Path, typer.Option()],
    svg: Annotated[Path, typer.Option()],
    tables: FileList,
    predictions: FileList = "",
    dataset: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Draw one figure."""
    from tabia.app import stage_inputs
    from tabia.report import figure as stage

    checked = _spec("report.figure", spec)
    stage_inputs.check_tables(checked, _paths(tables))
    stage.run(
        checked,
        tables=_paths(tables),
        predictions=_paths(predictions),
        dataset=dataset,
        figure=figure,
        svg=svg,
    )


@report.command("wide")
def report_wide(
    spec: SpecOption,
    tables: FileList,
    text: Annotated[Path, typer.Option()],
    layout: Annotated[Path, typer.Option()],
) -> None:
    """Put result tables side by side."""
    from tabia.app import stage_inputs
    from tabia.report import wide as stage

    checked = _spec("report.wide", spec)
    stage_inputs.check_tables(checked, _paths(tables))
    stage.run(checked, tables=_paths(tables), text=text, layout=layout)


@report.command("pages")
def report_pages(
    spec: SpecOption,
    tables: FileList,
    figures: FileList,
    html: Annotated[Path, typer.Option()],
    archive: Annotated[Path, typer.Option()],
    wide: FileList = "",
) -> None:
    """Write the report page and the archive to pass on."""
    from tabia.report import pages

    pages.run(
        _spec("report.pages", spec),
        tables=_paths(tables),
        figures=_paths(figures),
        wide=_paths(wide),
        html=html,
        archive=archive,
    )


@report.command("database")
def report_database(
    spec: SpecOption,
    tables: FileList,
    parquet: FileList,
    database: Annotated[Path, typer.Option()],
) -> None:
    """Write the DuckDB file."""
    from tabia.report import database as stage

    stage.run(
        _spec("report.database", spec),
        tables=_paths(tables),
        parquet=_paths(parquet),
        database=database,
    )


# --- sample ------------------------------------------------------------------------------


@sample.command("chess")
def sample_chess(
    spec: SpecOption,
    games: Annotated[Path, typer.Option()],
    threads: Annotated[int, typer.Option(min=1)] = 1,
) -> None:
    """Let Stockfish play the games of the bundled chess sample."""
    from tabia.app import sample_chess as stage

    stage.run(_spec("sample.chess", spec), games=games, threads=threads)


@sample.command("xiangqi")
def sample_xiangqi(
    spec: SpecOption,
    games: Annotated[Path, typer.Option()],
    threads: Annotated[int, typer.Option(min=1)] = 1,
) -> None:
    """Let Fairy-Stockfish play the games of the bundled xiangqi sample."""
    from tabia.app import sample_xiangqi as stage

    stage.run(_spec("sample.xiangqi", spec), games=games, threads=threads)
