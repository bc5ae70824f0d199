// What a search asks of a game.
//
// A state is a position with the game behind it, as far as the rules need it: repetitions, superko,
// counters. A search plays on it from the root and comes back with `rewind`. Every move changes the
// side to move. Results are from the first player's view (White, Red; Black in Go): 1, 0, -1.
#pragma once

#include <concepts>
#include <cstdint>

#include "mcts/numbers.hpp"

namespace tabia::mcts {

using Move = std::uint16_t;

struct Ending {
    bool is_over;
    int result;
};

// Limits that are the same for every game of a search.
struct Limits {
    int quiet_plies = 0;  // chess, xiangqi: plies without progress that make a draw; 0 is no rule
    int repetitions = 0;  // chess, xiangqi: a position that comes up so often ends the game
    int max_plies = 0;    // moves since the start after which the game is over; 0 is no end
    // Moves of a random rollout before it is broken off: a draw, but Go is counted as it stands. 0
    // is no end; in Go it is the playout's own.
    int rollout_plies = 0;
    bool rollout_fills_eyes = false;  // Go: whether rollouts play every legal move and the pass
    bool spares_eyes = false;         // Go: whether the tree leaves points out that are own eyes
};

template <typename S>
concept State = requires(S& s, const S& c, Move move, Move* moves, float* out, Random& random) {
    { S::MAX_MOVES } -> std::convertible_to<int>;
    { c.rows() } -> std::same_as<int>;
    { c.columns() } -> std::same_as<int>;
    { c.labels() } -> std::same_as<int>;        // of the policy
    { c.planes(8) } -> std::same_as<int>;       // for so many positions of history
    { c.encode(8, out) } -> std::same_as<void>; // all planes of this position, mover's view
    { c.label(move) } -> std::same_as<int>;     // of a legal move
    { c.plies() } -> std::same_as<int>;         // moves played since the start
    { c.side() } -> std::same_as<int>;          // 0 if the first player is to move, else 1
    { c.legal_moves(moves) } -> std::same_as<int>;
    { c.ending(1) } -> std::same_as<Ending>;    // given how many legal moves there are
    { c.code(move) } -> std::same_as<Move>;     // of a legal move, as it leaves the core
    { c.from_code(move) } -> std::same_as<int>; // the legal move of a code, or -1
    { s.play(move) } -> std::same_as<void>;
    { s.settle() } -> std::same_as<void>;       // this is the root from now on
    { s.rewind() } -> std::same_as<void>;       // back to the root
    { s.rollout(random) } -> std::same_as<int>; // result of random play; the state is as before
};

}  // namespace tabia::mcts
