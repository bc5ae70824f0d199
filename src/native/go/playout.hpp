// Random games to the end: the fast way to a guess of who will own what.
#pragma once

#include <cstdint>

#include "go/board.hpp"
#include "go/random.hpp"

namespace tabia::go {

// How a playout picks its moves; always at random, each candidate with the same chance.
enum class Policy : std::uint8_t {
    // Every legal move and the pass, as OpenSpiel's evaluator plays.
    UNIFORM = 0,
    // Legal moves but those into an own eye: a point with own stones or border on all four sides
    // and the other's stones on at most one of its diagonals, on none at the edge. A side passes
    // when it has no such move.
    NO_EYES = 1,
    // So, but nine times of ten a stone in atari is taken, or a chain saved, where the last move
    // calls for it; and no stone that leaves its own chain with one liberty, unless it takes
    // something, the chain is one stone, or it is a shape that kills (see shapes.hpp) and the chains
    // around it have no liberty elsewhere. Groups in seki stay on the board.
    CAREFUL = 2,
};

// Moves after which a playout is cut off: 3 * size^2, with UNIFORM 2 * size^2 as in OpenSpiel.
// Superko does not hold in playouts.
int longest_playout(const Board& board, Policy policy);

// Plays the board on until both have passed, or `longest` moves. `passes` are those just before.
// Returns the number of moves. Suicide is never played. Draws from `random` depend on the order of
// the board's empty points and of its chains: see `Board::rebuilt`.
int play_out(Board& board, int passes, Policy policy, int longest, Random& random);

// Whether the point is an own eye of the colour in the sense of NO_EYES.
bool is_eye(const Board& board, int cell, std::uint8_t color);

}  // namespace tabia::go
