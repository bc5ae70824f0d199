"""What the report shows: chapters, tables, figures. Standard library only: the dry run reads it.

A table or figure is named ``{chapter}_{subject}``; a run that leaves a chapter out leaves its
tables and figures out. Column texts live in :mod:`tabia.report.glossary`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

__all__ = [
    "CHAPTERS",
    "FIGURES",
    "TABLES",
    "WIDE",
    "FigureInputs",
    "WideInputs",
    "chapter_of",
]

CHAPTERS: Mapping[str, str] = MappingProxyType(
    {
        "records": "Records",
        "evaluation": "Evaluation",
        "imitation": "Imitation",
        "search": "Search",
    }
)
"""Heading of each chapter, in the order of the report."""

TABLES: Mapping[str, str] = MappingProxyType(
    {
        "records_games": "Games found, accepted and rejected, by reason.",
        "records_elo_bins": "Games and positions in each Elo bin.",
        "records_leakage": "Players, positions and moves that two splits share.",
        "evaluation_positions": "Labelled positions, and how many each filter keeps.",
        "evaluation_models": "Errors of each model on each split. Rows with split by position "
        "leak: positions of one game stand in several of their splits.",
        "evaluation_by_elo": "Errors on the test split by the players' Elo bin.",
        "evaluation_by_phase": "Errors on the test split by game phase.",
        "evaluation_by_value": "Errors on the test split by the size of the target.",
        "evaluation_choices": "Sizes tried on the validation split, and which was kept.",
        "evaluation_sizes": "What each trained model holds: bytes, inputs, parameters, nodes.",
        "evaluation_times": "Times of training and prediction, as measured; they do not repeat.",
        "imitation_samples": "Games and positions that models of moves learn from and are tested "
        "on. A position is of the mover's bin, and of a bin by both where both players are in it.",
        "imitation_models": "How well each model predicts people's moves, by the Elo bin it was "
        "trained on and tested on. Every rated game is tested once, by a model that has not seen "
        "it.",
        "imitation_parts": "Accuracy over all bins by ply, by phase, in positions that the "
        "model's rated training games had or had not, and in those that rated games of other folds "
        "had or had not, which are the same moves for every model.",
        "imitation_calibration": "How often the likeliest move is played, by its probability, over "
        "all bins.",
        "imitation_ceiling": "The most that a predictor of one move could reach, estimated in "
        "positions that came up in two games of a bin or more, and how far each model is from it "
        "on the same moves.",
        "imitation_differences": "What each model has more than another on the same moves, paired "
        "by game.",
        "imitation_structures": "The structure that the search found for each net and bin, with "
        "its figures on validation.",
        "imitation_candidates": "Every structure that a phase of the search tried, with its "
        "figures on validation.",
        "search_generations": "What each generation of a learner learned, and its strength: Elo "
        "from all its matches together, generation 0 being 0.",
        "search_matches": "Matches of each generation with the one before and with generation 0, "
        "and of the last one with players that learn nothing, at equal simulations. Figures are "
        "the first player's; there is no Elo where it would be infinite, or its interval open.",
        "search_selfplay": "The games that each generation learned from last: those of the one "
        "before against itself. Shares are of games; values are the mover's view, -1 to 1.",
        "search_times": "Time that each generation's games and training took, as measured; it does "
        "not repeat. A job that was killed and went on tells of what it did since: measured_share "
        "says how much of the whole that is.",
    }
)
"""What each result table holds, in the order of the report."""


@dataclass(frozen=True)
class WideInputs:
    """What a wide table reads, and what is said about it.

    Attributes
    ----------
    title
        Its heading.
    about
        What it shows.
    tables
        Result tables it reads.
    module
        The module that makes it.
    """

    title: str
    about: str
    tables: tuple[str, ...]
    module: str = ""


def _wide(**wide: WideInputs) -> Mapping[str, WideInputs]:
    return MappingProxyType(
        {
            name: replace(inputs, module=f"tabia.report.wide_tables.{name}")
            for name, inputs in wide.items()
        }
    )


WIDE = _wide(
    evaluation_paper=WideInputs(
        title="Errors of every model, side by side",
        about="The paper's tables 3 and 4. Every figure stands in evaluation_models or "
        "evaluation_sizes too.",
        tables=("evaluation_models", "evaluation_sizes"),
    ),
    evaluation_paper_times=WideInputs(
        title="Times and sizes of every model, side by side",
        about="The rest of the paper's tables 3 and 4. Every figure stands in evaluation_times "
        "or evaluation_sizes too.",
        tables=("evaluation_times", "evaluation_sizes"),
    ),
    imitation_search=WideInputs(
        title="Structures found, bin by bin",
        about="The paper's table II, of every net that is searched. Every figure stands in "
        "imitation_structures or imitation_models too.",
        tables=("imitation_structures", "imitation_models"),
    ),
    imitation_by_bin=WideInputs(
        title="Accuracy of every model, bin by bin",
        about="The paper's table III, with the rivals, and how far each model is from the noise "
        "ceiling. Every figure stands in imitation_models, imitation_differences or "
        "imitation_ceiling too.",
        tables=("imitation_models", "imitation_differences", "imitation_ceiling"),
    ),
    imitation_relaxed=WideInputs(
        title="Top-k and top-p accuracy",
        about="The paper's table IV, of every model. Every figure stands in imitation_models too.",
        tables=("imitation_models",),
    ),
    imitation_cross_bin=WideInputs(
        title="Accuracy by the bin trained on and the bin tested on",
        about="The paper's figure 1 as a matrix. Every figure stands in imitation_models too.",
        tables=("imitation_models",),
    ),
)
"""Result tables side by side, for reading; each module has ``tables(rows)``. A name that has
``times`` in it holds times, which the promise of equal bytes leaves out."""


@dataclass(frozen=True)
class FigureInputs:
    """What a figure reads, and what is said beside it.

    Attributes
    ----------
    tables
        Result tables it reads.
    predictions
        Of how many models it reads the predictions: of those that tell most.
    dataset
        True if it also looks up positions (FEN, phase) in the chapter's dataset, where given.
    caption
        How to read it; shown below it and as its text alternative.
    module
        The module that draws it.
    """

    tables: tuple[str, ...]
    caption: str
    predictions: int = 0
    dataset: bool = False
    module: str = ""


def _figures(**figures: FigureInputs) -> Mapping[str, FigureInputs]:
    return MappingProxyType(
        {
            name: replace(inputs, module=f"tabia.report.figures.{name}")
            for name, inputs in figures.items()
        }
    )


FIGURES = _figures(
    records_games=FigureInputs(
        tables=("records_games",),
        caption="Every game found in a source is accepted or rejected for one reason. "
        "The scale is logarithmic, so that rare reasons can be seen.",
    ),
    records_elo_bins=FigureInputs(
        tables=("records_elo_bins",),
        caption="How many games and positions stand behind figures that are told apart by Elo. "
        "Bins are half-open: (1000,1200] holds 1200 and not 1000.",
    ),
    evaluation_positions=FigureInputs(
        tables=("evaluation_positions",),
        caption="Positions that are left after each filter. Models are trained and tested "
        "on what is left.",
    ),
    evaluation_models=FigureInputs(
        tables=("evaluation_models",),
        caption="Mean absolute error on the test split; smaller is better, the best stands on "
        "top. Bars are intervals, found as the table says; the mean over the seeds where a model "
        "has several. Each scenario has a scale of its own; an arrow at its end stands for a "
        "larger error, which is written beside it.",
    ),
    evaluation_predicted=FigureInputs(
        tables=("evaluation_models",),
        predictions=4,
        dataset=True,
        caption="Predicted against target value of test positions, in pawns from White's point "
        "of view, of the first seed. A perfect model has every point on the line. The same "
        "positions are drawn for every model; they are chosen by a hash. Point at one to see the "
        "position.",
    ),
    evaluation_by_value=FigureInputs(
        tables=("evaluation_by_value",),
        caption="Mean absolute error on the test split by the size of the target, with "
        "intervals, on a logarithmic scale. (1,2] holds 2 and not 1.",
    ),
    evaluation_by_phase=FigureInputs(
        tables=("evaluation_by_phase",),
        caption="Mean absolute error on the test split by game phase, with intervals: "
        "128 is the full board, 0 the endgame. Each scenario has a scale of its own, which does "
        "not begin at 0.",
    ),
    evaluation_by_elo=FigureInputs(
        tables=("evaluation_by_elo",),
        caption="Mean absolute error on the test split by Elo bin, with intervals. Each scenario "
        "has a scale of its own, which does not begin at 0.",
    ),
    evaluation_split_by=FigureInputs(
        tables=("evaluation_models",),
        caption="Mean absolute error on the test split, with intervals, of models that were "
        "trained twice: with a split by game, as everywhere else, and with one by position, as "
        "in the paper. The second leaks: positions of one game stand in training and in test, "
        "and a model is rewarded for remembering. The two test splits hold different positions.",
    ),
    imitation_by_bin=FigureInputs(
        tables=("imitation_models",),
        caption="Share of the moves played that are a model's likeliest, in games it has not "
        "seen, with intervals. The models of a game are in the order of all bins together, the "
        "best on top. A dot with a ring is the paper's net with its legality filter taken off.",
    ),
    imitation_cross_bin=FigureInputs(
        tables=("imitation_models",),
        caption="The paper's figure 1: share of the moves played that are a model's likeliest, "
        "with intervals; one line a bin that was trained on, over the bins tested on. A larger "
        "dot is the model's own bin.",
    ),
    imitation_relaxed=FigureInputs(
        tables=("imitation_models",),
        caption="Over all bins, with intervals. Top k: the move played is among the k likeliest. "
        "Top p: it is in the smallest set of likeliest moves whose probabilities exceed p "
        "together; at 0 that is the likeliest move alone, at 1 all legal moves.",
    ),
    imitation_calibration=FigureInputs(
        tables=("imitation_calibration", "imitation_models"),
        caption="How often a model's likeliest move is played, against the mean of its "
        "probability, with intervals; on the line a model is as sure as it is right, below it too "
        "sure. ECE: the mean distance from the line, weighted by moves.",
    ),
    imitation_by_ply=FigureInputs(
        tables=("imitation_parts", "imitation_ceiling"),
        caption="Share of the moves played that are a model's likeliest, with intervals, by the "
        "half-moves played before. Grey: the most that a predictor of one move could reach, "
        "between its lower and upper estimate, in positions that came up in two games of a bin; "
        "drawn where these are a third or more.",
    ),
    search_elo=FigureInputs(
        tables=("search_generations",),
        caption="Elo of each generation from all its matches together, with intervals; generation "
        "0, whose weights are random, is 0. Dashed: players that learn nothing, which only the "
        "last generation played; their intervals stand in the table.",
    ),
    search_selfplay=FigureInputs(
        tables=("search_selfplay",),
        caption="The games of each generation against itself, with intervals: their mean length, "
        "the mean entropy of what full searches recommend, and the shares that were drawn and "
        "given up. Scales of length and entropy do not begin at 0.",
    ),
    search_times=FigureInputs(
        tables=("search_times",),
        caption="What each generation's games and training took, and how fast they were: games "
        "played, positions searched in them, positions that the net evaluated for that, and "
        "positions that training went through. CPU seconds are of all threads; bars are the range "
        "over shards. Of jobs that were killed and went on, only what they did since.",
    ),
)
"""The figures, in the order of the report; each module has ``chart(tables, …)``."""


def chapter_of(name: str) -> str:
    """Return the chapter of a table or figure by its name: ``records_games`` → ``records``."""
    return name.split("_", 1)[0]
