// The 97 evaluation terms a side: what a position looks like to each of its players.
//
// The terms are those of the Stockfish Evaluation Guide in its version of 2019-06-30
// (https://github.com/hxim/Stockfish-Evaluation-Guide, commit fc3a243): every term that the guide
// gives for each side, without its group "Helpers". A term that the guide defines for a square is
// summed over the 64 squares; Black's value is the term on the board with the colours exchanged
// and the ranks turned round. Terms with a phase switch (mobility, piece value, psqt bonus) are
// the endgame ones. The guide is followed in all its details, including where it reads squares
// beside the board; comments say where that matters.
//
// All values are integers but one: `outpost_total` counts halves.
#pragma once

#include "chess/position.hpp"

namespace tabia::chess {

// Name and group of each term, in the order of the columns.
#define TABIA_CHESS_TERMS(T)                                    \
    T(ISOLATED, "isolated", "Pawns")                            \
    T(OPPOSED, "opposed", "Pawns")                              \
    T(PHALANX, "phalanx", "Pawns")                              \
    T(SUPPORTED, "supported", "Pawns")                          \
    T(BACKWARD, "backward", "Pawns")                            \
    T(DOUBLED, "doubled", "Pawns")                              \
    T(CONNECTED, "connected", "Pawns")                          \
    T(SCALE_FACTOR, "scale_factor", "Scale")                    \
    T(IMBALANCE, "imbalance", "Imbalance")                      \
    T(BISHOP_PAIR, "bishop_pair", "Imbalance")                  \
    T(PINNED_DIRECTION, "pinned_direction", "Attack")           \
    T(MOBILITY, "mobility", "Mobility")                         \
    T(MOBILITY_AREA, "mobility_area", "Mobility")               \
    T(MOBILITY_BONUS, "mobility_bonus", "Mobility")             \
    T(KNIGHT_ATTACK, "knight_attack", "Attack")                 \
    T(BISHOP_XRAY_ATTACK, "bishop_xray_attack", "Attack")       \
    T(ROOK_XRAY_ATTACK, "rook_xray_attack", "Attack")           \
    T(QUEEN_ATTACK, "queen_attack", "Attack")                   \
    T(OUTPOST, "outpost", "Pieces")                             \
    T(OUTPOST_SQUARE, "outpost_square", "Pieces")               \
    T(REACHABLE_OUTPOST, "reachable_outpost", "Pieces")         \
    T(MINOR_BEHIND_PAWN, "minor_behind_pawn", "Pieces")         \
    T(BISHOP_PAWNS, "bishop_pawns", "Pieces")                   \
    T(ROOK_ON_PAWN, "rook_on_pawn", "Pieces")                   \
    T(ROOK_ON_FILE, "rook_on_file", "Pieces")                   \
    T(TRAPPED_ROOK, "trapped_rook", "Pieces")                   \
    T(WEAK_QUEEN, "weak_queen", "Pieces")                       \
    T(SPACE_AREA, "space_area", "Space")                        \
    T(PAWN_ATTACK, "pawn_attack", "Attack")                     \
    T(KING_ATTACK, "king_attack", "Attack")                     \
    T(ATTACK, "attack", "Attack")                               \
    T(NON_PAWN_MATERIAL, "non_pawn_material", "Material")       \
    T(SAFE_PAWN, "safe_pawn", "Threats")                        \
    T(THREAT_SAFE_PAWN, "threat_safe_pawn", "Threats")          \
    T(WEAK_ENEMIES, "weak_enemies", "Threats")                  \
    T(MINOR_THREAT, "minor_threat", "Threats")                  \
    T(ROOK_THREAT, "rook_threat", "Threats")                    \
    T(HANGING, "hanging", "Threats")                            \
    T(KING_THREAT, "king_threat", "Threats")                    \
    T(PAWN_PUSH_THREAT, "pawn_push_threat", "Threats")          \
    T(RANK_THREAT, "rank_threat", "Threats")                    \
    T(PASSED_SQUARE, "passed_square", "Passed pawns")           \
    T(CANDIDATE_PASSED, "candidate_passed", "Passed pawns")     \
    T(KING_PROXIMITY, "king_proximity", "Passed pawns")         \
    T(PASSED_BLOCK, "passed_block", "Passed pawns")             \
    T(PASSED_FILE, "passed_file", "Passed pawns")               \
    T(PASSED_RANK, "passed_rank", "Passed pawns")               \
    T(PASSED_MG, "passed_mg", "Passed pawns")                   \
    T(PASSED_EG, "passed_eg", "Passed pawns")                   \
    T(PAWNLESS_FLANK, "pawnless_flank", "King")                 \
    T(STRENGTH_SQUARE, "strength_square", "King")               \
    T(STORM_SQUARE, "storm_square", "King")                     \
    T(SHELTER_STRENGTH, "shelter_strength", "King")             \
    T(SHELTER_STORM, "shelter_storm", "King")                   \
    T(KING_DANGER, "king_danger", "King")                       \
    T(KING_PAWN_DISTANCE, "king_pawn_distance", "King")         \
    T(CLOSE_ENEMIES, "close_enemies", "King")                   \
    T(CHECK, "check", "King")                                   \
    T(SAFE_CHECK, "safe_check", "King")                         \
    T(KING_ATTACKERS_COUNT, "king_attackers_count", "King")     \
    T(KING_ATTACKERS_WEIGHT, "king_attackers_weight", "King")   \
    T(KING_ATTACKS, "king_attacks", "King")                     \
    T(WEAK_BONUS, "weak_bonus", "King")                         \
    T(WEAK_SQUARES, "weak_squares", "King")                     \
    T(UNSAFE_CHECKS, "unsafe_checks", "King")                   \
    T(CONNECTED_BONUS, "connected_bonus", "Pawns")              \
    T(MOBILITY_MG, "mobility_mg", "Mobility")                   \
    T(MOBILITY_EG, "mobility_eg", "Mobility")                   \
    T(PIECE_VALUE_BONUS, "piece_value_bonus", "Material")       \
    T(PSQT_BONUS, "psqt_bonus", "Material")                     \
    T(PIECE_VALUE_MG, "piece_value_mg", "Material")             \
    T(PIECE_VALUE_EG, "piece_value_eg", "Material")             \
    T(PSQT_MG, "psqt_mg", "Material")                           \
    T(PSQT_EG, "psqt_eg", "Material")                           \
    T(KING_PROTECTOR, "king_protector", "Pieces")               \
    T(WEAK_UNOPPOSED_PAWN, "weak_unopposed_pawn", "Pawns")      \
    T(LONG_DIAGONAL_BISHOP, "long_diagonal_bishop", "Pieces")   \
    T(QUEEN_ATTACK_DIAGONAL, "queen_attack_diagonal", "Attack") \
    T(PINNED, "pinned", "Attack")                               \
    T(SLIDER_ON_QUEEN, "slider_on_queen", "Threats")            \
    T(KNIGHT_ON_QUEEN, "knight_on_queen", "Threats")            \
    T(OUTPOST_TOTAL, "outpost_total", "Pieces")                 \
    T(PIECES_MG, "pieces_mg", "Pieces")                         \
    T(PIECES_EG, "pieces_eg", "Pieces")                         \
    T(RESTRICTED, "restricted", "Threats")                      \
    T(THREATS_MG, "threats_mg", "Threats")                      \
    T(THREATS_EG, "threats_eg", "Threats")                      \
    T(KNIGHT_DEFENDER, "knight_defender", "King")               \
    T(BISHOP_DEFENDER, "bishop_defender", "King")               \
    T(ENDGAME_SHELTER, "endgame_shelter", "King")               \
    T(KING_MG, "king_mg", "King")                               \
    T(KING_EG, "king_eg", "King")                               \
    T(ATTACKS_ON_SPACE, "attacks_on_space", "Space")            \
    T(SPACE, "space", "Space")                                  \
    T(DOUBLE_ATTACKED_PAWN, "double_attacked_pawn", "Pawns")    \
    T(PAWNS_MG, "pawns_mg", "Pawns")                            \
    T(PAWNS_EG, "pawns_eg", "Pawns")

#define TABIA_TERM_ID(id, name, group) id,
enum Term : int { TABIA_CHESS_TERMS(TABIA_TERM_ID) N_TERMS };
#undef TABIA_TERM_ID

struct TermName {
    const char* name;
    const char* group;
};
extern const TermName TERM_NAMES[N_TERMS];

// Writes White's terms, then Black's: 2 * N_TERMS values, all of them exact.
void evaluation_terms(const Position& p, float* out);

}  // namespace tabia::chess
