"""The stages of the imitation chapter, one subcommand each: ``tabia imitation train --spec …``.

Heavy imports stay inside the functions: completion runs this program at every Tab.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabia.app.stage_options import FileList, SpecOption, paths, spec_of

__all__ = ["imitation"]

imitation = typer.Typer(help="Stages of the imitation chapter, as the rules call them.")

Samples = Annotated[Path, typer.Option(help="Samples of rated games.")]


@imitation.command("samples")
def imitation_samples(
    spec: SpecOption, games: FileList, samples: Annotated[Path, typer.Option()]
) -> None:
    """Play out the games of some sources, one row a move."""
    from tabia.imitation import samples as stage

    stage.run(spec_of("imitation.samples", spec), games=paths(games), samples=samples)


@imitation.command("pretrain")
def imitation_pretrain(
    spec: SpecOption,
    unrated: Annotated[Path, typer.Option(help="Samples of unrated games.")],
    samples: Samples,
    state: Annotated[Path, typer.Option(help="Folder for what a killed job has done.")],
    model: Annotated[Path, typer.Option(help="Folder of the finished weights.")],
) -> None:
    """Train the net for all Elos on unrated games."""
    from tabia.imitation import pretrain

    checked = spec_of("imitation.pretrain", spec)
    pretrain.run(checked, unrated=unrated, samples=samples, state=state, model=model)


@imitation.command("candidate")
def imitation_candidate(
    spec: SpecOption,
    samples: Samples,
    store: Annotated[Path, typer.Option(help="Store of trained structures, kept between runs.")],
    candidate: Annotated[Path, typer.Option()],
    previous: Annotated[Path | None, typer.Option(help="The phase before.")] = None,
) -> None:
    """Train one structure of a search and measure it on validation."""
    from tabia.imitation import candidate as stage

    checked = spec_of("imitation.candidate", spec)
    stage.run(checked, samples=samples, previous=previous, store=store, candidate=candidate)


@imitation.command("phase")
def imitation_phase(
    spec: SpecOption,
    candidates: FileList,
    phase: Annotated[Path, typer.Option()],
    previous: Annotated[Path | None, typer.Option(help="The phase before.")] = None,
) -> None:
    """Choose the best of a phase's candidates."""
    from tabia.imitation import phase as stage

    checked = spec_of("imitation.phase", spec)
    stage.run(checked, candidates=paths(candidates), previous=previous, phase=phase)


@imitation.command("train")
def imitation_train(
    spec: SpecOption,
    samples: Samples,
    model: Annotated[Path, typer.Option(help="Folder of the finished model.")],
    predictions: Annotated[
        Path | None, typer.Option(help="Of the test fold; a final model has none.")
    ] = None,
    phase: Annotated[Path | None, typer.Option(help="Last phase of the model's search.")] = None,
    pretrained: Annotated[Path | None, typer.Option(help="Folder of the weights before.")] = None,
    part: Annotated[
        list[str] | None, typer.Option(help="NAME=FOLDER of a model that it is put together from.")
    ] = None,
) -> None:
    """Train one model and predict the test fold with it."""
    from tabia.app import stage_inputs
    from tabia.imitation import train

    checked = spec_of("imitation.train", spec)
    parts = stage_inputs.parts_of_a_model(checked, part or [], phase, predictions)
    train.run(
        checked,
        samples=samples,
        phase=phase,
        pretrained=pretrained,
        parts=parts,
        model=model,
        predictions=predictions,
    )


@imitation.command("scores")
def imitation_scores(
    spec: SpecOption, predictions: FileList, scores: Annotated[Path, typer.Option()]
) -> None:
    """Measure one model over all folds, with intervals by game."""
    from tabia.imitation import scores as stage

    stage.run(spec_of("imitation.scores", spec), predictions=paths(predictions), scores=scores)


@imitation.command("ceiling")
def imitation_ceiling(
    spec: SpecOption, samples: Samples, ceiling: Annotated[Path, typer.Option()]
) -> None:
    """Estimate how well any predictor of one move could do."""
    from tabia.imitation import ceiling as stage

    stage.run(spec_of("imitation.ceiling", spec), samples=samples, ceiling=ceiling)


@imitation.command("summary")
def imitation_summary(
    spec: SpecOption,
    scores: FileList,
    ceilings: FileList,
    samples: FileList,
    samples_table: Annotated[Path, typer.Option()],
    models_table: Annotated[Path, typer.Option()],
    parts_table: Annotated[Path, typer.Option()],
    calibration_table: Annotated[Path, typer.Option()],
    ceiling_table: Annotated[Path, typer.Option()],
    differences_table: Annotated[Path, typer.Option()],
    structures_table: Annotated[Path, typer.Option()],
    candidates_table: Annotated[Path, typer.Option()],
    phases: FileList = "",
) -> None:
    """Write the chapter's result tables."""
    from tabia.imitation import summary

    summary.run(
        spec_of("imitation.summary", spec),
        scores=paths(scores),
        ceilings=paths(ceilings),
        phases=paths(phases),
        samples=paths(samples),
        samples_table=samples_table,
        models_table=models_table,
        parts_table=parts_table,
        calibration_table=calibration_table,
        ceiling_table=ceiling_table,
        differences_table=differences_table,
        structures_table=structures_table,
        candidates_table=candidates_table,
    )
