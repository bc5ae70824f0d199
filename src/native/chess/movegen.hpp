// Strictly legal moves of a position.
#pragma once

#include "chess/move.hpp"
#include "chess/position.hpp"

namespace tabia::chess {

struct MoveList {
    // 218 is the most in a position that can arise; 16 promoted queens a side (FEN) stay under
    // 16 * 27 + 8.
    Move moves[512];
    int size = 0;
    void add(Move move) { moves[size++] = move; }
    const Move* begin() const { return moves; }
    const Move* end() const { return moves + size; }
};

// Appends every legal move, castling as king takes own rook, in no particular order.
void generate_legal(const Position& p, MoveList& list);

bool has_legal_move(const Position& p);

// Whether an arbitrary 16-bit value, in the core's form, is a legal move here.
bool is_legal(const Position& p, Move move);

// Whether castling with the own rook on `rook` is legal now.
bool is_castling_legal(const Position& p, int rook);

// Whether the own king is safe after a pseudo-legal move that is not castling.
bool leaves_king_safe(const Position& p, int from, int to);

}  // namespace tabia::chess
