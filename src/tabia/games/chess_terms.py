"""The evaluation terms of chess by name: group, meaning and point of view.

97 terms a side describe a position to each player. They are those of the Stockfish Evaluation
Guide, version of 2019-06-30 (github.com/hxim/Stockfish-Evaluation-Guide, commit fc3a243): all that
the guide gives for each side, without its helpers. Per-square terms are summed over the board;
Black's are those of the board with colours exchanged and ranks turned round, so that "own" is
always the side that a column names. Values are computed by :mod:`tabia._native.chess_terms`; this
module says what they mean and computes nothing.

Groups
------
Scale
    How much of an endgame advantage counts.
Material, Imbalance
    Piece values, piece-square values and what combinations of pieces are worth.
Pawns, Passed pawns
    Structure, and what may become a queen.
Pieces, Mobility
    Where pieces stand and how many squares they reach.
Threats
    What of the enemy is attacked.
Space
    Safe squares behind the pawns.
King
    Shelter of the *enemy* king and the attack on it.
Attack
    Numbers of attacks and pins.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabia._native.chess_terms import COLUMNS, FRACTIONAL, GROUPS, TERMS

__all__ = ["COLUMNS", "FRACTIONAL", "TERMS", "Term", "by_group"]


@dataclass(frozen=True, slots=True)
class Term:
    """One of the 97 terms.

    Attributes
    ----------
    name
        As in column names, which put ``white_`` or ``black_`` before it.
    group
        Group of the guide.
    text
        What is counted, for a side ("own") against the other ("enemy").
    """

    name: str
    group: str
    text: str


_TEXTS = {
    "scale_factor": "64ths of the endgame score that count, for whoever is ahead",
    "non_pawn_material": "middlegame value of knights, bishops, rooks and queens",
    "piece_value_bonus": "as piece_value_eg",
    "piece_value_mg": "middlegame value of pawns and pieces",
    "piece_value_eg": "endgame value of pawns and pieces",
    "psqt_bonus": "as psqt_eg",
    "psqt_mg": "middlegame values of the squares that pieces stand on",
    "psqt_eg": "endgame values of the squares that pieces stand on",
    "imbalance": "worth of each kind of piece beside the others, in 16ths",
    "bishop_pair": "1438 with two bishops or more, else 0; in 16ths",
    "isolated": "pawns with no own pawn on a file beside",
    "opposed": "pawns with an enemy pawn ahead on their file",
    "phalanx": "pawns with an own pawn next to them on the rank",
    "supported": "pawns that defend pawns, counted once for each pawn defended",
    "backward": "pawns behind all neighbours that an enemy pawn stops",
    "doubled": "unsupported pawns with an own pawn directly behind",
    "connected": "pawns that are supported or in a phalanx",
    "connected_bonus": "worth of the connected pawns, by rank and support",
    "weak_unopposed_pawn": "isolated or backward pawns that are not opposed",
    "double_attacked_pawn": "enemy pawns attacked by two pawns and defended by none",
    "pawns_mg": "middlegame bonus of the pawns' structure",
    "pawns_eg": "endgame bonus of the pawns' structure",
    "outpost": "knights and bishops on outpost squares",
    "outpost_square": "squares of ranks 4-6, pawn-supported, that no enemy pawn can attack",
    "reachable_outpost": "2 for each knight or bishop that attacks a free outpost square",
    "minor_behind_pawn": "knights and bishops directly behind a pawn of either side",
    "bishop_pawns": "own pawns on each bishop's colour, times 1 + blocked centre pawns",
    "rook_on_pawn": "enemy pawns on the lines of rooks that stand on ranks 5-8",
    "rook_on_file": "2 for a rook on an open file, 1 on a half-open one",
    "trapped_rook": "rooks with at most 3 moves shut in on their king's side",
    "weak_queen": "queens one piece away from an enemy rook or bishop on a line",
    "king_protector": "distances of knights and bishops to the own king, added",
    "long_diagonal_bishop": "bishops at the ends of long diagonals, clear to the centre",
    "outpost_total": "outposts: knight 2, bishop 1; half where only in reach",
    "pieces_mg": "middlegame bonus of the pieces' places",
    "pieces_eg": "endgame bonus of the pieces' places",
    "mobility": "squares of the mobility area that pieces attack, added up",
    "mobility_area": "squares but own king, queens, stuck pawns and enemy pawns' reach",
    "mobility_bonus": "as mobility_eg",
    "mobility_mg": "middlegame bonus of the pieces' mobility",
    "mobility_eg": "endgame bonus of the pieces' mobility",
    "safe_pawn": "pawns that are defended or not attacked",
    "threat_safe_pawn": "enemy pieces that safe pawns attack",
    "weak_enemies": "attacked enemies that no pawn and no majority defends",
    "minor_threat": "enemies under attack of minors: pawn 1, knight 2 .. king 6",
    "rook_threat": "weak enemies under attack of rooks, counted likewise",
    "hanging": "weak enemies that nobody defends, or pieces attacked twice",
    "king_threat": "weak enemies beside the own king",
    "pawn_push_threat": "enemy pieces that a safe push of a pawn would attack",
    "rank_threat": "(8 - rank) of pieces threatened by minors or rooks, added",
    "slider_on_queen": "squares from which a bishop or rook could attack the queen",
    "knight_on_queen": "squares from which a knight could attack the queen",
    "restricted": "squares both attack that no enemy pawn and no majority defends",
    "threats_mg": "middlegame bonus of the threats",
    "threats_eg": "endgame bonus of the threats",
    "passed_square": "squares on which a pawn would be passed",
    "candidate_passed": "passed pawns and pawns that may become passed",
    "king_proximity": "bonus of kings' distances to the squares before passers",
    "passed_block": "bonus of passers whose way is free, safe, defended",
    "passed_file": "distances of passers to the edge: 1 (a, h) .. 4 (d, e), added",
    "passed_rank": "ranks that passers have come, added",
    "passed_mg": "middlegame bonus of the passers",
    "passed_eg": "endgame bonus of the passers",
    "space_area": "safe squares of c2-f4; those behind own pawns twice",
    "attacks_on_space": "squares of c2-f4 behind own pawns that the enemy attacks",
    "space": "bonus of the space area while many pieces are on the board",
    "pawnless_flank": "1 where the enemy king's flank has no pawn",
    "strength_square": "shelter that enemy pawns give a king, added over all its squares",
    "storm_square": "storm of own pawns on an enemy king, added over all its squares",
    "shelter_strength": "strength of the enemy king's shelter, castled if better",
    "shelter_storm": "storm on the enemy king there; more is better for the attacker",
    "endgame_shelter": "part of the storm that counts in the endgame",
    "king_danger": "danger to the enemy king; 0 where it is 100 or less",
    "king_pawn_distance": "distance of the own king to its nearest pawn; 0 without",
    "close_enemies": "attacked squares on the enemy king's flank, twice attacked twice",
    "check": "squares from which a piece could give check",
    "safe_check": "the same that are safe for the piece",
    "king_attackers_count": "pieces that attack the enemy king's ring, and pawns' squares",
    "king_attackers_weight": "weights of those pieces: N 77, B 55, R 44, Q 10",
    "king_attacks": "their attacks on the squares beside the enemy king",
    "weak_bonus": "weak squares in the enemy king's ring",
    "weak_squares": "attacked squares that at most king or queen defends, once",
    "unsafe_checks": "unsafe checks, where there is no safe one, and shields of the king",
    "knight_defender": "squares beside the own king that a knight defends",
    "bishop_defender": "squares beside the own king that a bishop defends",
    "king_mg": "middlegame bonus of the attack on the enemy king",
    "king_eg": "endgame bonus of the attack on the enemy king",
    "pinned": "own pieces pinned to their king",
    "pinned_direction": "pins by line: rank 1, a1-h8 2, file 3, a8-h1 4; enemies minus",
    "pawn_attack": "attacks of pawns",
    "king_attack": "squares beside the king",
    "knight_attack": "attacks of knights that are not pinned",
    "bishop_xray_attack": "attacks of bishops, through queens of both sides",
    "rook_xray_attack": "attacks of rooks, through queens and own rooks",
    "queen_attack": "attacks of queens",
    "queen_attack_diagonal": "attacks of queens along diagonals",
    "attack": "all attacks together",
}


def by_group() -> dict[str, tuple[Term, ...]]:
    """Return all terms under their groups, both in an order for reading."""
    group_of = dict(zip(TERMS, GROUPS, strict=True))
    groups: dict[str, list[Term]] = {}
    for name, text in _TEXTS.items():
        groups.setdefault(group_of[name], []).append(Term(name, group_of[name], text))
    return {group: tuple(terms) for group, terms in groups.items()}
