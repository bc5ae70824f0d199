// Strictly legal moves of a position.
//
// A move is legal if the piece moves so and its own king is not attacked afterwards, facing kings
// being an attack. There is no stalemate: a side without a legal move has lost.
#pragma once

#include "xiangqi/move.hpp"
#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

struct MoveList {
    // Two rooks and cannons with 17 moves each, horses with 8, elephants and advisors with 4, five
    // pawns with 3 and a king with 4 stay under 120; `position_fault` allows no more pieces.
    Move moves[128];
    int size = 0;
    void add(Move move) { moves[size++] = move; }
    const Move* begin() const { return moves; }
    const Move* end() const { return moves + size; }
};

// Appends every legal move, in no particular order.
void generate_legal(const Position& p, MoveList& list);

// Number of legal moves, without making a list of them.
int count_legal(const Position& p);

bool has_legal_move(const Position& p);

// Whether an arbitrary 16-bit value is a legal move here.
bool is_legal(const Position& p, Move move);

}  // namespace tabia::xiangqi
