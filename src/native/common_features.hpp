// Features of legal moves that chess and xiangqi share: what tells which of them a person plays.
//
// Every position is first turned so that the player to move sits at the bottom; "own" is that
// player, "opponent" the other. Attacks and defences are those of single moves, pins aside. The
// exchange value of a move is what its side wins when both then take on its target square with
// their least valuable piece, each stopping when that is better.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tabia {

enum MoveFeature {
    PIECE,                     // kind of the piece
    CAPTURED,                  // kind of what it takes, 0 none
    CAPTURED_VALUE,
    EXCHANGE,                  // exchange value
    EXCHANGE_BELOW_BEST,       // … less than the best of the position's moves
    ATTACKERS_BEFORE,          // opponent's pieces that attack the piece where it starts
    DEFENDERS_BEFORE,          // own pieces that defend it there
    ATTACKERS_AFTER,           // the same where it ends
    DEFENDERS_AFTER,
    HANGING_BEFORE,            // largest exchange value of the opponent's captures, were it to move
    HANGING_FROM,              // … of its captures of this piece
    HANGING_AFTER,             // … of its captures after the move
    HANGING_ABOVE_LEAST,       // … more than after the position's best move
    THREATENED_CHANGE,         // own pieces that are threatened, after less before
    IN_CHECK,                  // own king is in check before
    GIVES_CHECK,
    REPLIES,                   // legal moves of the opponent after the move
    NEW_ATTACKS,               // opponent's pieces attacked after and not before, king aside
    NEW_THREAT,                // value of the best of those threatened after and not before
    FOLLOW_UP,                 // largest exchange value of own captures, were it to move once more
    TAKES_LAST_MOVED,          // takes the piece that the opponent moved last
    ATTACKED_BY_LAST,          // the piece that the opponent moved last attacks this one
    LAST_DISTANCE,             // king's steps from where the opponent's last move ended; -1 none
    OWN_LAST_DISTANCE,         // … from where the own last move ended; -1 none
    MOVES_LAST_MOVED,          // the piece is the one that was moved last
    TAKES_BACK,                // … and goes back where it came from
    MOBILITY_MOVED,            // squares the piece can go to, after less before
    MOBILITY_CHANGE,           // … of all own pieces (which: see the game)
    OPPONENT_MOBILITY_CHANGE,  // … of all the opponent's
    KING_ZONE_CHANGE,          // squares about the opponent's king that are attacked
    OWN_ZONE_CHANGE,           // squares about the own king that the opponent attacks
    FROM_ROW,                  // rows from the own side, columns from the left, both from 0
    FROM_COLUMN,
    TO_ROW,
    TO_COLUMN,
    ADVANCE,                   // rows forward
    SIDEWAYS,                  // columns to either side
    CENTRE_DISTANCE,           // from where it ends (see the game)
    CENTRE_GAIN,               // … less than from where it starts
    KING_DISTANCE,             // king's steps from the opponent's king to where it ends
    KING_APPROACH,             // … less than from where it starts
    OWN_KING_DISTANCE,         // king's steps from the own king, after
    FROM_HOME,                 // stands where a piece of its kind does at the start of a game
    LEGAL_MOVES,               // number of the position's legal moves
    BALANCE,                   // value of the own pieces less the opponent's, before
    MATERIAL,                  // value of all pieces, before
    COMMON_FEATURES,
};

inline constexpr const char* COMMON_NAMES[COMMON_FEATURES] = {
    "piece",
    "captured",
    "captured_value",
    "exchange",
    "exchange_below_best",
    "attackers_before",
    "defenders_before",
    "attackers_after",
    "defenders_after",
    "hanging_before",
    "hanging_from",
    "hanging_after",
    "hanging_above_least",
    "threatened_change",
    "in_check",
    "gives_check",
    "replies",
    "new_attacks",
    "new_threat",
    "follow_up",
    "takes_last_moved",
    "attacked_by_last",
    "last_distance",
    "own_last_distance",
    "moves_last_moved",
    "takes_back",
    "mobility_moved",
    "mobility_change",
    "opponent_mobility_change",
    "king_zone_change",
    "own_zone_change",
    "from_row",
    "from_column",
    "to_row",
    "to_column",
    "advance",
    "sideways",
    "centre_distance",
    "centre_gain",
    "king_distance",
    "king_approach",
    "own_king_distance",
    "from_home",
    "legal_moves",
    "balance",
    "material",
};

// Fills the two columns that compare a move with the others of its position.
inline void compare_moves(float* rows, int n_moves, int n_features) {
    float best = -1e9F, least = 1e9F;
    for (int i = 0; i < n_moves; ++i) {
        best = std::max(best, rows[i * n_features + EXCHANGE]);
        least = std::min(least, rows[i * n_features + HANGING_AFTER]);
    }
    for (int i = 0; i < n_moves; ++i) {
        float* row = rows + i * n_features;
        row[EXCHANGE_BELOW_BEST] = best - row[EXCHANGE];
        row[HANGING_ABOVE_LEAST] = row[HANGING_AFTER] - least;
    }
}

}  // namespace tabia
