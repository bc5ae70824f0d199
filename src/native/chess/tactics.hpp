// Static tactical features: what each side could win by swapping off, and the geometry of checks,
// forks, pins and trapped pieces. No position after a move is ever made or valued.
//
// Every feature belongs to a side, the one to move ("mover") or the other ("opponent"), and asks
// what that side could do if it had the move. Values of pieces: P 1, N 3, B 3, R 5, Q 9.
//
// The exchange value of a move (https://www.chessprogramming.org/Static_Exchange_Evaluation) is
// what the side wins by playing it when both sides then take on its target square with their
// least valuable piece, each stopping when that is better. Pieces that are pinned to their king at
// the start join in along the line of the pin only; kings take last. A move is safe when its
// exchange value is not negative. Castling and promotions to less than a queen are left out.
#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace tabia::chess {

// The features of one side, in the order of the output.
enum TacticsFeature {
    GAIN_1,        // largest positive exchange value of a move, and the next two on other squares
    GAIN_2,
    GAIN_3,
    GAIN_PAWN,     // largest positive exchange value of taking a piece of the kind
    GAIN_KNIGHT,
    GAIN_BISHOP,
    GAIN_ROOK,
    GAIN_QUEEN,
    GAIN_PROMOTION,  // … of a promotion
    GAIN_STEADY,     // … of a move by a piece that the other side cannot win by taking first
    GAIN_LEFT,       // … of a move left when the other side has played its best, the worst case of equals
    EVEN_CAPTURES,   // number of captures with exchange value 0
    CHECK_GAIN,      // largest positive exchange value of a direct check
    CHECKS,          // number of moves that check directly
    SAFE_CHECKS,     // … that are safe
    FORK,            // second most valuable target (king: 10) of a safe move
    FORK_CHECK,      // most valuable target, king aside, of a safe direct check
    THREAT,          // most valuable target of a safe move, kings aside
    TRAPPED,         // largest GAIN the other side has on an own N, B, R, Q without a safe move
    PINS,            // value of enemy pieces between an own slider and king, queen or rook
    DISCOVERY,       // most valuable enemy piece that an own piece shields from an own slider
    LOOSE,           // value of own N, B, R, Q that are attacked and not defended
    OUTGUNNED,       // value of own N, B, R, Q that a less valuable piece attacks
    OVERLOADED,      // value of own attacked pieces whose only defender has to defend another, too
    MOVES,           // number of legal moves
    SAFE_MOVES,      // number of safe moves
    FLIGHTS,         // number of king's moves
    PASSER,          // ranks that the farthest passed pawn has advanced, 0 without one
    RUNNER,          // … whose way is empty and not attacked
    TACTICS_A_SIDE,
};

// Mover's features, opponent's features, and 1 when the mover is in check.
constexpr int TACTICS = 2 * TACTICS_A_SIDE + 1;

void tactics(const Position& p, std::int32_t* out);

// Exchange value of a pseudo-legal move of `side`, which need not be the side to move; `side`'s
// king must be safe after it, and it may not castle.
int exchange_value(const Position& p, int side, Move move);

}  // namespace tabia::chess
