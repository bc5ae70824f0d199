// Perft: counts the leaves of the legal-move tree, the standard check of a move generator.
#pragma once

#include <cstdint>

#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

// Leaves `depth` plies below. The moves of the last ply are counted and not played, as
// Fairy-Stockfish does ("bulk counting").
std::uint64_t perft(const Position& p, int depth);

}  // namespace tabia::xiangqi
