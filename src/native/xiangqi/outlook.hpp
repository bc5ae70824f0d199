// What the legal moves of a xiangqi position lead to; see ../outlook_search.hpp. Values are those of
// exchange.hpp; a pawn that crosses the river wins what it becomes worth.
#pragma once

#include <cstdint>
#include <string>

#include "xiangqi/move.hpp"

namespace tabia::xiangqi {

// For each of `n` legal moves of a packed board: its outlook in points, and how much less that is
// than the best move's. Returns an empty string, or what is wrong.
std::string outlooks(const std::uint8_t* packed, const Move* moves, int n, float* out);

}  // namespace tabia::xiangqi
