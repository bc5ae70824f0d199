// Evaluation terms of every position of games, played out move by move.
#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace tabia::chess {

// Games as in `expand_games` of expand.hpp; writes 2 * N_TERMS values a position to `out`, the
// positions in the same order. Returns -1, or the index in `moves` of the first illegal one.
std::int64_t terms_of_games(const std::uint16_t* moves, const std::int64_t* offsets,
                            std::int64_t n_games, const Position* starts,
                            const std::int64_t* start_index, const std::uint8_t* chess960,
                            float* out);

}  // namespace tabia::chess
