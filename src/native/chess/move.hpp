// Moves as 16 bits: from | to << 6 | promotion << 12 (0 none, 1 N, 2 B, 3 R, 4 Q).
//
// Inside the core castling is always "king takes own rook", which no other move can mean, in
// standard chess and Chess960 alike. The *codec* that leaves the core writes castling in standard
// chess as king-from to king-to, as UCI does; `position.hpp` has the two conversions.
#pragma once

#include <cstdint>

#include "chess/bitboard.hpp"

namespace tabia::chess {

using Move = std::uint16_t;

// Not a move: from = to = h8 with an impossible promotion. Written for "no next move".
constexpr Move NO_MOVE = 0xFFFF;

constexpr Move make_move(int from, int to, int promotion_type = NO_TYPE) {
    return static_cast<Move>(from | to << 6 |
                             (promotion_type ? promotion_type - PAWN : 0) << 12);
}
constexpr int from_of(Move move) { return move & 63; }
constexpr int to_of(Move move) { return move >> 6 & 63; }
constexpr int promotion_code(Move move) { return move >> 12; }
// PieceType of the promotion, NO_TYPE when there is none.
constexpr int promotion_of(Move move) { return move >> 12 ? (move >> 12) + PAWN : NO_TYPE; }

}  // namespace tabia::chess
