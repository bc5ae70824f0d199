// Who lives: without doubt (Benson), and by the count of many playouts.
#pragma once

#include <cstdint>

#include "go/board.hpp"
#include "go/playout.hpp"

namespace tabia::go {

// Marks, rows first, the stones of both colours that no play of the other side can take even if
// their owner always passes, with the colour, and the points that those chains enclose with all
// their empty points beside them, where the other side cannot live; 0 elsewhere. Benson, "Life in
// the game of Go", Information Sciences 10 (1976).
void pass_alive(const Board& board, std::uint8_t* out);

// What `n` playouts say of every point.
struct Ownership {
    // Rows first: playouts in which Black owned the point at the end, minus those in which White did.
    std::int32_t balance[MAX_POINTS] = {};
    // Rows first: playouts at whose end the stone that stands there, or one like it, stood there.
    std::int32_t survived[MAX_POINTS] = {};
    // Black's area minus White's at the ends, summed.
    std::int64_t margin = 0;
    std::int64_t moves = 0;
    std::int64_t black_wins = 0;  // ends with more than `komi` for Black
};

// Adds `n` playouts from the board, half of them with the other side to move first if `both_first`.
// The same stones, side, seed and n give the same counts on every machine, however the board came to
// be. Passes before do not count.
void add_playouts(const Board& board, Policy policy, int n, std::uint64_t seed, bool both_first,
                  float komi, Ownership& out);

// Marks, rows first, the stones that are dead by playouts: those of chains that are not pass-alive
// and whose points the other side owned at the end more often, or that stand where the other side
// is pass-alive.
void dead_stones(const Board& board, const Ownership& owned, std::uint8_t* out);

}  // namespace tabia::go
