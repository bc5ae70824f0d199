// Features of the legal moves of a Go position, for ranking what people play.
//
// The side to move is "own". Liberties are counted to LIBERTIES_COUNTED at most. Distances are those
// of D. Silver's patterns, dx + dy + max(dx, dy), which tell a diagonal step from two steps aside.
// A pass has its own column; where a column asks for a point, it has -1, or 0 for counts.
#pragma once

#include <cstdint>
#include <string>

#include "go/board.hpp"

namespace tabia::go {

enum MoveFeature {
    IS_PASS,
    TAKEN,                  // stones that the move takes
    TAKES_KO,               // it takes a stone that may not be retaken at once
    IS_SUICIDE,
    STONES_AFTER,           // stones of the chain that it makes
    LIBERTIES_AFTER,        // … its liberties
    SELF_ATARI,             // … its stones, if it has one liberty
    OWN_CHAINS,             // own chains that it touches (two or more: it joins them)
    OPPONENT_CHAINS,        // the opponent's that it touches (two or more: it may cut them)
    OWN_LEAST_LIBERTIES,    // the fewest liberties of those before; 0 for none
    OPPONENT_LEAST_LIBERTIES,
    SAVED,                  // own stones beside it that were in atari and are no longer
    PUT_IN_ATARI,           // the opponent's stones beside it that have one liberty after it
    PUT_TO_TWO,             // … two liberties
    OWN_BESIDE,             // own stones on the four points beside it
    OPPONENT_BESIDE,
    EMPTY_BESIDE,
    OWN_DIAGONAL,           // … on the four diagonal ones
    OPPONENT_DIAGONAL,
    FILLS_EYE,              // all beside it is own or edge, and the diagonals make it a true eye
    LINE,                   // from the nearest edge, 1 the edge itself
    OTHER_LINE,             // from the nearest edge along the other axis: the corner's
    LAST_DISTANCE,          // from the opponent's last move; -1 none or a pass
    OWN_LAST_DISTANCE,      // from the own last move
    AFTER_PASS,             // the opponent has just passed
    LAST_LIBERTIES,         // of the chain of the opponent's last move; 0 none
    TOUCHES_LAST,           // it is beside that chain
    TAKES_LAST,             // it takes that chain
    OWN_LAST_LIBERTIES,     // of the chain of the own last move; 0 none or taken
    JOINS_OWN_LAST,         // it is beside that chain
    OWN_NEAREST,            // steps (dx + dy) to the nearest own stone within four lines; 9 for none
    OPPONENT_NEAREST,
    OWN_NEAR,               // own stones within two lines
    OPPONENT_NEAR,
    INFLUENCE,              // own less opponent's stones within four lines, nearer ones count more
    OWN_IN_ATARI,           // own stones of the whole board in atari before
    OPPONENT_IN_ATARI,
    STONES,                 // on the board, before
    BALANCE,                // own stones less the opponent's
    SIZE,                   // lines of the board
    MOVE_FEATURES,
};

inline constexpr const char* MOVE_FEATURE_NAMES[MOVE_FEATURES] = {
    "is_pass",           "taken",
    "takes_ko",          "is_suicide",
    "stones_after",      "liberties_after",
    "self_atari",        "own_chains",
    "opponent_chains",   "own_least_liberties",
    "opponent_least_liberties", "saved",
    "put_in_atari",      "put_to_two",
    "own_beside",        "opponent_beside",
    "empty_beside",      "own_diagonal",
    "opponent_diagonal", "fills_eye",
    "line",              "other_line",
    "last_distance",     "own_last_distance",
    "after_pass",        "last_liberties",
    "touches_last",      "takes_last",
    "own_last_liberties", "joins_own_last",
    "own_nearest",       "opponent_nearest",
    "own_near",          "opponent_near",
    "influence",         "own_in_atari",
    "opponent_in_atari", "stones",
    "balance",           "size",
};

constexpr int LIBERTIES_COUNTED = 8;

// Features of `n` legal moves of a packed board, row after row of MOVE_FEATURES. `previous` holds
// the opponent's last move and the own last, -1 for none. Returns an empty string, or what is wrong.
std::string move_features(const std::uint8_t* packed, const Move* moves, int n,
                          const std::int32_t* previous, float* out);

}  // namespace tabia::go
