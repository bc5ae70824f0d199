// Perft: counts the leaves of the legal-move tree, the standard check of a move generator.
#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace tabia::chess {

std::uint64_t perft(const Position& p, int depth);

}  // namespace tabia::chess
