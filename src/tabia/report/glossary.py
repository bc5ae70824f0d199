"""What every table and column means: units and point of view, said once.

The database's comments and the report's column lists come from here. Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COLUMNS", "METRICS", "ROOT_VARIABLE", "VIEWS", "explain"]

ROOT_VARIABLE = "tabia_root"
"""SQL variable that a view puts before every file name; ends in ``/``; unset = where one is."""

VIEWS: Mapping[str, str] = MappingProxyType(
    {
        "games": "One row an accepted game, with its split and Elo bins.",
        "rejects": "One row a record that is not in games, with the reason.",
        "counts": "Games by file and fate; a file's rows add up to the games found in it.",
        "splits": "Split and Elo bins of every accepted game.",
        "occurrences": "One row a position of an accepted game.",
        "positions": "One row a distinct position of all sources of a game.",
        "leaks": "Positions and moves that two splits share.",
        "sample": "Positions chosen for labelling.",
        "labels": "One row a position and engine limit: the engine's value.",
        "label_rejects": "Positions that the engine gave no usable label for, with the reason.",
        "dataset": "Labelled positions with everything the models may see.",
        "terms": "The 97 evaluation terms of each side, one row a sampled position.",
        "tactics": "Static tactical inputs: swaps, checks, forks, pins; one row a position.",
        "choices": "Sizes of a model that were tried on validation, and which was kept.",
        "predictions": "Every trained model's prediction for every position of its filter.",
        "times": "Times of training and prediction, which do not repeat, and sizes of models.",
        "scores": "Errors of every trained model, before they are put together.",
        "imitation_moves": "One row a move that models of moves learn from, or are tested on.",
        "imitation_predictions": "What each model said of every move of its test fold.",
        "imitation_scores": "Measures of every model of moves, with each bootstrap draw.",
        "search_selfplay_games": "One row a game that a learner played against itself.",
        "search_selfplay_positions": "One row a position that was searched in such a game.",
        "search_match_games": "One row a game of a match of generations, or with a rival.",
        "search_gate_games": "One row a game of a new net with the best one so far.",
    }
)
"""What the tables that are too large for a report hold. A result table says so itself."""

COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        # games
        "game_id": "Id of the game: hash of source, file and ordinal.",
        "game": "The game played: chess, xiangqi, go.",
        "source": "Source of the game files, as named in the configuration.",
        "file": "File that held the record, or archive::member.",
        "ordinal": "Number of the record in its file, from 0.",
        "byte_offset": "Where the record starts in the decompressed file, bytes from 0.",
        "line": "Line on which the record starts, from 1.",
        "played_by": "Who played: people, engines, or both.",
        "event": "Event, as recorded.",
        "site": "Site, as recorded.",
        "round": "Round, as recorded.",
        "date": "Date, ISO, cut where unknown: 1972, 1972-07, 1972-07-11.",
        "first_name": "Player who moves first by the rules: White in chess, Red in xiangqi, Black "
        "in Go, also where White begins because of handicap.",
        "second_name": "The other player: Black in chess and xiangqi, White in Go.",
        "first_elo": "Recorded Elo of the player who moves first, of Go the rank on one scale; "
        "null = none recorded.",
        "second_elo": "Recorded Elo of the player who moves second; null = none recorded.",
        "first_rank": "Recorded rank of the player who moves first, e.g. 3d.",
        "second_rank": "Recorded rank of the player who moves second, e.g. 5k.",
        "result": "Result from the first player's view: 1 win, 0 draw, -1 loss, null unknown.",
        "result_conflict": "True if the result tag and the moves' end disagree; the tag is kept.",
        "termination": "How the game ended, as recorded.",
        "time_control": "Time control, as recorded.",
        "opening_code": "Opening code (ECO), as recorded.",
        "variant": "Rules variant: standard; of chess also chess960.",
        "start_fen": "Start position; null = the game's own.",
        "board_size": "Points on a side of the board (Go).",
        "komi": "Points given to the second player (Go).",
        "handicap": "Handicap stones (Go).",
        "rules": "Rule set, as recorded.",
        "has_evals": "True if the record carries engine evaluations.",
        "has_clocks": "True if the record carries clock times.",
        "n_plies": "Half-moves played.",
        "moves": "The moves, in the game's 16-bit move code.",
        "split_hash": "Hash of the game's content (start and moves; header where there are none) "
        "that decides its split.",
        # rejects
        "reason": "Fate of the record: accepted, or why it was rejected.",
        "detail": "What exactly was wrong.",
        "legal_plies": "Half-moves that were legal before the fault.",
        "games": "Number of games.",
        "joined": "Games of PlayOK's tables of moves that the source's file of headers has; null "
        "without one, and on rows of rejects.",
        "unjoined": "Games of PlayOK's tables of moves that the source's file of headers lacks; "
        "null without one, and on rows of rejects.",
        # splits
        "split": "train, validation or test; by game, but for rows split by position.",
        "other_split": "The split compared with.",
        "what": "What is counted: players, positions, moves played in positions.",
        "in_split": "Distinct ones in the games of split.",
        "in_other_split": "Distinct ones in the games of other_split.",
        "in_both": "Distinct ones in the games of both.",
        "first_elo_bin": "Elo bin of the first player; (1000,1200] holds 1200 and not 1000.",
        "second_elo_bin": "Elo bin of the second player.",
        "both_elo_bin": "Elo bin that both players share; null where they differ.",
        "elo_bin": "Elo bin, half-open: (1000,1200] holds 1200 and not 1000.",
        "elo_bin_by": "Whose Elo decides: first or second player, mover, or both in one bin.",
        "mover_elo_bin": "Elo bin of the player to move.",
        # positions
        "position_key": "64-bit hash of the board, for joining.",
        "position_id": "Id of the position: 128-bit hash of its FEN without counters.",
        "board": "Packed board with the side to move: of chess 32 bytes, with castling and en "
        "passant; of xiangqi 45; of Go 96.",
        "fen": "Position in FEN, four fields: no move counters.",
        "phase": "Game phase: 128 = all pieces on the board, 0 = endgame.",
        "phase_bin": "First and last game phase, both included: 128 = all pieces, 0 = endgame.",
        "value_bin": "Size of the target in pawns, either side: (1,2] holds 2 and not 1.",
        "flags": "Bits: 1 check, 2 no legal move, 4 chess960.",
        "ply": "Half-moves played before the position; 0 = start.",
        "move": "Move, in UCI notation or in the game's code: move_text(game, move) writes it.",
        "n_occurrences": "Times the position occurs.",
        # labels
        "limit": "Limit of the engine's search: depth, nodes or movetime in ms.",
        "score_cp": "Engine's value, White's view, centipawns; null where mate is set.",
        "mate": "Moves to mate, White's view: positive = White mates; null = no mate.",
        "second_score_cp": "Value of the second line, White's view, centipawns.",
        "second_mate": "Moves to mate of the second line, White's view.",
        "second_move": "First move of the second line, UCI notation.",
        "depth": "Depth that the best line reached, plies.",
        "nodes": "Positions searched for the label.",
        # models
        "filter": "Positions left out: mate = with a mate score; abs20 = also beyond 20 pawns.",
        "scenario": "Engine values shown to the model: 1 = three depths, 2 = two, 3 = none.",
        "model": "The model.",
        "split_by": "What the split goes by: game, or position, which leaks.",
        "seed": "Seed of the run.",
        "target": "Engine's value at the target limit, White's view, pawns.",
        "predicted": "Model's prediction of the target, White's view, pawns.",
        "n_seeds": "Runs with different seeds behind the figure.",
        "input_1": "Engine's value at the shallowest depth, White's view, pawns; null = mate.",
        "input_2": "Engine's value at the middle depth, White's view, pawns; null = mate.",
        "input_3": "Engine's value at the deepest of the three, White's view, pawns; null = mate.",
        "is_mate": "True if the target or any input is a mate score.",
        "keep_mate": "True if the filter mate keeps the position.",
        "keep_abs20": "True if the filter abs20 keeps the position.",
        "repeat": "Number of the measurement, from 0.",
        "size": "Nodes in each hidden layer, first to last.",
        "parameters": "Numbers that training chose.",
        "validation_mse": "Mean squared error on the validation split, pawns squared.",
        "validation_mae": "Mean absolute error on the validation split, pawns.",
        "validation_predicted": "Predictions of the validation positions by id, pawns.",
        "chosen": "True for the size that was kept for all seeds.",
        "draws": "The metric in every bootstrap draw; NaN where it was undefined.",
        "step": "Step from the sample to what the models see.",
        # imitation
        "trained_on": "Elo bin that the model learned from; own bin = each move is predicted by "
        "the model of its bin; all bins = one model for all Elos.",
        "tested_on": "Elo bin of the moves predicted; all bins = the moves of every bin together.",
        "group": "What the part is a part by; null = all moves.",
        "part": "Part of the moves: half-moves before, game phase, yes or no.",
        "confidence": "Probability of the model's likeliest move; (0.27,0.33] holds 0.33.",
        "against": "The model compared with; its figure is taken off.",
        "rated": "True if both players' Elos are known; others are for pre-training only.",
        "fold": "Fold that the model did not learn from: its test games.",
        "mover_elo": "Recorded Elo of the player to move; null = none recorded.",
        "other_elo": "Recorded Elo of the opponent; null = none recorded.",
        "in_check": "True if the player to move is in check.",
        "n_legal": "Number of legal moves.",
        "seen": "True if the position came up in the model's training games.",
        "rank": "Rank of the move played among the legal ones: 1 = the model's likeliest.",
        "p": "Probability that the model gave to the move played.",
        "mass_before": "Probability of all moves ranked before the one played.",
        "top_move": "The model's likeliest move, in the game's code: move_text(game, top_move) "
        "writes it.",
        "top_p": "Probability of the model's likeliest move.",
        "illegal": "Probability on labels of no legal move, before the filter; null where the "
        "model scores legal moves only.",
        "unfiltered": "True if the likeliest label of all, legal or not, is that of the move "
        "played; null as above.",
        "p_loss": "Probability that the mover loses the game; null where the model has none.",
        "p_draw": "Probability of a draw; null where the model has none.",
        "p_win": "Probability that the mover wins the game; null where the model has none.",
        "search_phase": "Phase of the structure search, from 1.",
        "candidate": "Values of the two variables that the phase decides.",
        "memory": "m: past moves (of the residual net: positions) that the net sees; all = all.",
        "rnn": "RNN: the recurrent layer; a backward one reads the latest move first.",
        "rnn_dropout": "RDP: dropout of the recurrent layer's inputs.",
        "rnn_hidden": "RHD: hidden units of the recurrent layer.",
        "rnn_activation": "RA: activation after the recurrent layer.",
        "blocks": "Residual blocks of two convolutions; null = none in this net.",
        "channels": "Filters of a convolution; null = none in this net.",
        "batch_norm": "BN: batch normalisation.",
        "dropout": "DP: dropout before and between fully connected layers.",
        "fc_layers": "#FC: hidden fully connected layers; with 0, the next two do nothing.",
        "fc_l2": "FCR: L2 penalty of their weights.",
        "fc_activation": "FCA: their activation.",
        # search
        "learner": "Name of the player that teaches itself.",
        "player": "net = the learner's; random = any legal move; rollouts = search by random "
        "games, without a net; gnugo-level-N = GNU Go at level N; last of NAME = another "
        "learner's last generation.",
        "generation": "Generation of the learner, from 0, which has learned nothing; null = a "
        "player that does not learn.",
        "first": "Player whose view it is: generation N, or another by name.",
        "second": "The other player.",
        "stage": "self-play = the generation's games, all shards together; training = its net's.",
        "shard": "Shard of the generation's games, from 0.",
        "number": "Number of the game in its generation, from 0.",
        "margin": "Go: points of Black less those of White; null where the game ended by "
        "resignation.",
        "owner": "Go: one byte a point of the board: 0 nobody's, 1 Black's, 2 White's; null where "
        "the game ended by resignation.",
        "played_on": "True where nobody might resign.",
        "gave_up": "Who resigned, or would have first: 1 the first player, -1 the second.",
        "gave_up_at": "Half-moves before that.",
        "is_full": "True for a full search, which is learned from.",
        "evaluation": "The net's value of the position, mover's view, -1 to 1.",
        "simulations": "Simulations of the search.",
        "visits": "Visits of each legal move, those of trees that were kept among them.",
        "priors": "The net's probability of each legal move.",
        "policy": "Probability of each legal move as the search recommends it.",
        "pair": "Pair of games that begin with one opening.",
        "is_first": "True where the match's first player moves first.",
        "points": "Points of the match's first player: 1, 1/2 or 0.",
        "opening": "Half-moves of the opening, which were given.",
        # figures of result tables
        "metric": "What is measured.",
        "unit": "Unit of value, lo and hi.",
        "value": "The figure.",
        "lo": "Lower end of the interval.",
        "hi": "Upper end of the interval.",
        "interval": "How lo and hi were found; an exact count is its own interval.",
        "n_games": "Games behind the figure.",
        "n_positions": "Positions behind the figure; null where it is about games only.",
    }
)
"""Meaning of a column by its name, or by ``table.column`` where one table differs."""

_SPECIAL: Mapping[str, str] = MappingProxyType(
    {
        "positions.n_games": "Distinct games that contain the position.",
        "sample.n_games": "Distinct games that contain the position.",
        "dataset.n_games": "Distinct games that contain the position.",
        "positions.game_id": "The position's owner: the first of its games by (split_hash, id).",
        "sample.game_id": "The position's owner: the first of its games by (split_hash, id).",
        "occurrences.move": "Move played next, in the game's code; null at the end. "
        "move_text(game, move) writes it.",
        "labels.move": "First move of the best line, UCI notation.",
        "dataset.target": "Engine's value at the target limit, White's view, pawns; null = mate.",
        "evaluation_by_phase.phase": "First and last phase, both included: 128 = all pieces.",
        "evaluation_positions.reason": "Why the engine gave no label; null = all reasons.",
        "predictions.model": "The run: a model, ending in _by_position where the split leaks.",
        "predictions.split": "Split of this run; by position where the run's name says so.",
        "choices.n_games": "Games of the validation split.",
        "choices.n_positions": "Positions of the validation split.",
        "evaluation_choices.size": "Nodes in each hidden layer, first to last: 12-4.",
        "imitation_ceiling.ply": "Half-moves before, first and last of the part; null = all.",
        "imitation_ceiling.model": "The model; null in rows about the ceiling itself.",
        "imitation_samples.elo_bin": "Elo bin, half-open; null = all games.",
        "imitation_samples.elo_bin_by": "Whose Elo decides: mover, or both in one bin; null = all.",
        "imitation_moves.result": "Result from the mover's view: 1 win, 0 draw, -1 loss, null "
        "unknown.",
        "imitation_predictions.result": "Result from the mover's view: 1 win, 0 draw, -1 loss, "
        "null unknown.",
        "imitation_predictions.trained_on": "Elo bin that the model learned from; all bins = one "
        "model for all Elos.",
        "imitation_structures.model": "The model whose search it is.",
        "imitation_candidates.model": "The model whose search it is.",
        "imitation_candidates.chosen": "True for what the phase chose, by accuracy on validation.",
        "imitation_candidates.fault": "Why the candidate could not be measured and lost; null = it "
        "was measured.",
        "search_selfplay_games.termination": "rules or resignation.",
        "search_selfplay_games.generation": "Generation that learns from these games first.",
        "search_selfplay_positions.generation": "Generation that learns from these games first.",
        "search_selfplay_positions.value": "The search's value of the position, mover's view, -1 "
        "to 1.",
        "search_selfplay_positions.moves": "The legal moves, in the game's 16-bit move code.",
        "search_gate_games.generation": "Generation of the new net, which is the first player.",
        "search_selfplay.generation": "Generation that learns from these games first; the one "
        "before plays them.",
        "search_times.generation": "Generation that is trained, and that learns from these games "
        "first.",
        "label_rejects.limit": "Limit of the search that failed.",
        "label_rejects.reason": "Why the engine gave no usable label.",
    }
)

_FEATURES = {"terms": "Evaluation term", "tactics": "Tactical input"}
_SIDES = {
    "white": "White",
    "black": "Black",
    "mover": "the side to move",
    "opponent": "the other side",
}

METRICS: Mapping[str, str] = MappingProxyType(
    {
        "games": "Number of games.",
        "rejected games": "Games that were rejected, for whatever reason.",
        "repeated games": "Accepted games whose start and moves an earlier game had already; games "
        "without moves are not counted.",
        "repeated games with another result": "Repeated games whose known result is not the first "
        "that is known of that game.",
        "games with several results": "Games whose records give more than one result, counted in "
        "the file of the first record.",
        "games without a header": "Games of PlayOK's tables of moves that the source's file of "
        "headers lacks; only where a source has such a file.",
        "positions": "Number of positions.",
        "in split": "Distinct ones in the games of split.",
        "in other split": "Distinct ones in the games of other split.",
        "shared": "Distinct ones in both.",
        "shared share of other split": "Of those in other split, the share that is in split too.",
        "mae": "Mean absolute error of the prediction, pawns.",
        "rmse": "Root of the mean squared error, pawns; it decides between sizes.",
        "r2": "Share of the targets' variance that is explained; 1 is perfect, the mean has 0.",
        "sign_agreement": "Share of the clearly won positions whose winner is predicted.",
        "mae_best_seed": "mae of the seed with the smallest error on validation.",
        "r2_best_seed": "r2 of the seed with the smallest error on validation.",
        "sign_agreement_best_seed": "sign_agreement of the seed that is best on validation.",
        "training_time": "Seconds to train.",
        "prediction_time_in_batch": "Time to predict a position among thousands.",
        "prediction_time_alone": "Time to predict one position by itself.",
        "size": "Bytes of the stored model, on disk.",
        "inputs": "Numbers that the model sees of a position.",
        "parameters": "Numbers that training chose.",
        "nodes": "Nodes of the hidden layers; of an RBF net its centres.",
        "fuzzy_sets": "Fuzzy sets that each input is divided into.",
        "trees": "Trees of the ensemble.",
        "epochs": "Passes over the training split.",
        "iterations": "Steps of training.",
        "hidden_1": "Nodes of the first hidden layer.",
        "hidden_2": "Nodes of the second hidden layer.",
        "weights": "Weights and biases.",
        "fuzzy_sets_fewest": "Fuzzy sets of the input that has fewest.",
        "fuzzy_sets_most": "Fuzzy sets of the input that has most.",
        "fuzzy_sets_symmetric": "Fuzzy sets of the best net with the same number for each input.",
        "rank": "Rank of the least squares that gave the weights.",
        "tried": "Nets that were trained to choose one.",
        "skipped": "Numbers of fuzzy sets that asked for too many centres.",
        "tried_by_swarm": "Places that the particle swarm judged, each once.",
        **{
            f"top_{k}": f"Share of the moves played that are among the model's {k} likeliest."
            for k in range(2, 11)
        },
        "top_1": "Share of the moves played that are the model's likeliest: accuracy.",
        **{
            f"top_p_{p / 10:.1f}": "Share of the moves played that are in the smallest set of "
            f"likeliest moves whose probabilities exceed {p / 10:.1f} together."
            for p in range(10)
        },
        "top_p_1.0": "Share of the moves played that are in the set of all legal moves: 1.",
        "nll": "Mean negative log-likelihood of the moves played, nats.",
        "ece": "Expected calibration error: mean distance between the probability of the likeliest "
        "move and the share of hits, over bins of that probability.",
        "illegal_mass": "Mean probability on labels of no legal move, before the filter.",
        "top_1_unfiltered": "Share of the moves played that are the net's likeliest label, where "
        "illegal ones are not left out.",
        "result_nll": "Mean negative log-likelihood of the game's result as predicted, nats.",
        "mean_confidence": "Mean probability of the likeliest move.",
        "ceiling_below": "Share of moves that the other games' most frequent one predicts.",
        "ceiling_above": "Share of moves that are the most frequent of their position.",
        "repeated_share": "Share of positions that came up in two games of their bin or more.",
        "to_ceiling_below": "ceiling_below less the model's top_1 on the same moves.",
        "to_ceiling_above": "ceiling_above less the model's top_1 on the same moves.",
        "top_1_difference": "top_1 less that of the model compared with; above 0 is better.",
        "nll_difference": "nll less that of the model compared with; below 0 is better.",
        "validation_top_1": "top_1 on the validation games of the bin; it decides.",
        "validation_nll": "nll on the validation games of the bin; it decides between equals.",
        "learned_games": "Games that the generation's training had, without those held back.",
        "learned_positions": "Positions in them: those of full searches.",
        "validation_loss": "Loss on the games held back from training: policy, value and what else "
        "the net predicts, weighted as configured.",
        "pretrained_games": "Games of records that the learner's first net learned from, without "
        "those held back. Learners without this row began with a net that had learned nothing.",
        "pretraining_loss": "Loss of that net on the records held back from it: policy, value and "
        "score where known, weighted as configured.",
        "pretraining_agreement": "Share of the positions of the records held back in which its "
        "first move was the one played.",
        "elo": "Elo from all matches together (Bradley and Terry); generation 0 is 0.",
        "simulations": "Simulations a move, of every player that searches.",
        "score": "Points a game of the first player: 1 a win, 1/2 a draw.",
        "score_by_second": "The same by the second player's own count, dead stones taken off.",
        "elo_difference": "Elo difference at which that score is expected.",
        "full_searches": "Positions that were searched in full: those that are learned from.",
        "draws": "Share of the games that were drawn.",
        "first_player_wins": "Share of the games that the player who moves first won.",
        "resigned": "Share of the games that a player gave up: they ended there, or were played "
        "out.",
        "false_resignations": "Of the games in which nobody may resign and a player would have, "
        "the share in which that player did not lose.",
        "mean_plies": "Mean length of a game, half-moves.",
        "policy_entropy": "Mean entropy of the moves that full searches recommend, nats.",
        "value_error": "Mean squared difference between the net's value of a position and the "
        "game's result, both -1 to 1.",
        "search_value_error": "The same of the search's value.",
        "measured_share": "Share of the games, or of training's steps, that was measured: 1 unless "
        "a job was killed and went on, which measures what it did since.",
        "evaluations": "Positions that the net evaluated for searches, in the games measured.",
        "cpu_seconds": "CPU time, user and system, of all threads and shards, from the reading of "
        "the inputs to the result; without the start of the program.",
        "seconds": "The same by the clock, shards added up though they may run side by side.",
        "games_per_cpu_minute": "Games measured by the CPU time of playing them.",
        "positions_per_cpu_second": "Self-play: positions searched by the CPU time of the games. "
        "Training: positions gone through, once a pass, by the CPU time of the passes and of "
        "measuring the loss after each.",
        "evaluations_per_cpu_second": "Positions that the net evaluated by the CPU time of the "
        "games: the search's own time is in it.",
    }
)
"""What each metric of the result tables measures."""


def explain(table: str, column: str) -> str:
    """Return what `column` of `table` means, or an empty text where only its name is known."""
    known = _SPECIAL.get(f"{table}.{column}") or COLUMNS.get(column, "")
    if known or table not in _FEATURES:
        return known
    side, _, name = column.partition("_")
    return f"{_FEATURES[table]} {name} of {_SIDES[side]}." if side in _SIDES else ""
