// What the legal moves of a chess position lead to; see ../outlook_search.hpp. Pawn 1, knight and bishop 3,
// rook 5, queen 9; a pawn that is promoted wins what it becomes worth. Stalemate loses nothing.
#pragma once

#include <cstdint>
#include <string>

#include "chess/move.hpp"

namespace tabia::chess {

// For each of `n` legal moves of a packed board: its outlook in points, and how much less that is
// than the best move's. Returns an empty string, or what is wrong.
std::string outlooks(const std::uint8_t* packed, const Move* codes, int n, float* out);

}  // namespace tabia::chess
