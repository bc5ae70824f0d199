// Features of all legal moves of a position, for ranking what people play.
//
// See common_features.hpp for the columns. Kinds are 1 K, 2 A, 3 E, 4 H, 5 R, 6 C, 7 P; values are
// those of exchange.hpp in points. A piece is threatened when it is attacked and undefended, or
// attacked by a piece of a lesser kind: pawn, advisor or elephant, horse, cannon, rook in this
// order. Mobility counts moves of rooks, cannons and horses, the king's zone is its palace, and the
// distance from the centre is that from the middle file.
#pragma once

#include <string>

#include "common_features.hpp"
#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

constexpr int MOVE_FEATURES = COMMON_FEATURES;

// Features of `n` legal moves of a packed board, row after row of MOVE_FEATURES. `previous` holds
// the opponent's last move and the own last, -1 for none. Returns an empty string, or what is wrong.
std::string move_features(const std::uint8_t* packed, const Move* moves, int n,
                          const std::int32_t* previous, float* out);

}  // namespace tabia::xiangqi
