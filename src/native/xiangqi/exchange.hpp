// Exchange values: what a side wins when both take on one square, least valuable piece first.
//
// Values are half points, so that all are whole: rook 18, cannon 9, horse 8, elephant and advisor 4,
// pawn 2 and, across the river, 4. Lines, cannon screens and horse legs that open or close while
// pieces leave for the square are seen, and no piece takes that would leave its king in check.
// A check that stands before the exchange forbids nothing.
#pragma once

#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

// Value of a piece on a square; the king's is 0, since it is never taken.
constexpr int half_points(int color, int type, int square) {
    constexpr int VALUE[8] = {0, 0, 4, 4, 8, 18, 9, 2};
    return type == PAWN && half_of(square) != color ? 4 : VALUE[type];
}

// Pieces of `by` that take on the square when the board's pieces stand on `occupied`, their king's
// safety aside. Pieces that `occupied` no longer holds still count: mask them out.
Bitboard attackers(const Position& p, int square, int by, Bitboard occupied);

class Exchanges {
  public:
    // Holds on to the position.
    explicit Exchanges(const Position& p);

    // Exchange value in half points of a move that is legal if `side` is to move.
    int value(int side, Move move) const;

  private:
    int least_taker(int side, int to, Bitboard occupied) const;

    const Position& p_;
    Bitboard checkers_[2];  // of the king of each colour
};

}  // namespace tabia::xiangqi
