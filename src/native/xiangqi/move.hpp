// Moves as 16 bits: 90 * from + to, squares as in bitboard.hpp. Codes are 0 .. 8099.
//
// As text a move is two squares, `h2e2`. Ranks are counted from 0 (ICCS, UCCI, Pikafish) or from 1
// (Fairy-Stockfish's UCI: the same move is `h3e3`, and `h9g7` is `h10g8`). Nothing in a text tells
// the two apart, so whoever reads one has to say which it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xiangqi/bitboard.hpp"

namespace tabia::xiangqi {

using Move = std::uint16_t;

constexpr int MOVE_CODES = SQUARES * SQUARES;
// Not a move. Written for "no next move".
constexpr Move NO_MOVE = 0xFFFF;

constexpr Move make_move(int from, int to) { return static_cast<Move>(SQUARES * from + to); }
constexpr int from_of(Move move) { return move / SQUARES; }
constexpr int to_of(Move move) { return move % SQUARES; }

// Left and right exchanged.
constexpr int mirror_square(int square) {
    return FILES * rank_of(square) + (FILES - 1 - file_of(square));
}
// The board seen from the other side's place, files kept: a0 becomes a9.
constexpr int flip_square(int square) {
    return FILES * (RANKS - 1 - rank_of(square)) + file_of(square);
}

// Text of a code below MOVE_CODES; `first_rank` is 0 or 1.
std::string write_move(Move move, int first_rank);

// Code of a text such as h2e2, H2E2 or H2-E2, or NO_MOVE if it is none.
Move read_move(std::string_view text, int first_rank);

}  // namespace tabia::xiangqi
