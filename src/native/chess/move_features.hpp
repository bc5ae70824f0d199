// Features of all legal moves of a position, for ranking what people play.
//
// See common_features.hpp for the columns that xiangqi has too. Kinds are 1 P, 2 N, 3 B, 4 R, 5 Q,
// 6 K; exchange values and values of pieces are those of tactics.hpp, 0 for castling. A piece is
// threatened when it is attacked and undefended, or attacked by a piece of lesser value. Mobility
// counts squares that knights, bishops, rooks and queens attack and no own piece holds; pawns have
// none. The king's zone is its square and those beside it. The distance from the centre is 0 on
// the four middle squares and 3 on the edge.
#pragma once

#include <string>

#include "chess/position.hpp"
#include "common_features.hpp"

namespace tabia::chess {

enum ChessMoveFeature {
    PROMOTION = int{COMMON_FEATURES}, // kind that a pawn becomes, 0 none
    CASTLING,                     // 1 short, 2 long
    RIGHTS_LOST,                  // rights to castle given up, castling itself aside
    SHELTER_CHANGE,               // own pawns one or two rows before the king, on its files
    PASSED_PAWN,                  // the piece is a pawn that no pawn can stop or take, after
    MOVE_FEATURES,
};

constexpr int CHESS_FEATURES = int{MOVE_FEATURES} - int{COMMON_FEATURES};
inline constexpr const char* CHESS_NAMES[CHESS_FEATURES] = {
    "promotion", "castling", "rights_lost", "shelter_change", "passed_pawn",
};

// Features of `n` legal moves, codes of standard chess, of a packed board, row after row of
// MOVE_FEATURES. `previous` holds the opponent's last move and the own last, -1 for none. Returns
// an empty string, or what is wrong.
std::string move_features(const std::uint8_t* packed, const Move* codes, int n,
                          const std::int32_t* previous, float* out);

}  // namespace tabia::chess
