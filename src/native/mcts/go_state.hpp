// Go for the search: sizes 5 to 19 under the rules that it is given.
//
// Two passes in a row end the game; it is counted as the stones stand, komi included, with none
// taken for dead. Superko is exact (go/position.hpp). A limit on the plies ends the game likewise.
//
// Planes, size x size, rows from the top:
//
//   for each of `history` positions, the latest first (zero before the game began):
//     stones of the side to move, stones of the other      1 where one stands
//   forbidden points                                       1 on empty points not to be played
//   Black to move                                          1 everywhere, or 0
//   the last move was a pass                               1 everywhere, or 0
//   komi / 10, positive for White, negative for Black      everywhere
//   stones of chains with one, two and three liberties     1 where one stands, a plane each
//
// Labels: size * row + column; the pass is the last one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "go/position.hpp"
#include "mcts/state.hpp"

namespace tabia::mcts {

class GoState {
  public:
    static constexpr int MAX_MOVES = go::MOVE_CODES;
    static constexpr int LONGEST_HISTORY = 16;
    static constexpr int PLANES_A_POSITION = 2, OTHER_PLANES = 7;

    GoState(const go::Position& start, const Limits& limits);

    int rows() const { return now_.size(); }
    int columns() const { return now_.size(); }
    int labels() const { return now_.size() * now_.size() + 1; }
    int planes(int history) const { return PLANES_A_POSITION * history + OTHER_PLANES; }
    void encode(int history, float* out) const;
    int label(Move move) const {
        const int n = now_.size();
        return move == go::PASS ? n * n : n * go::row_of(move) + go::column_of(move);
    }
    int plies() const { return now_.ply(); }
    int side() const { return now_.to_move() == go::WHITE; }
    int legal_moves(Move* out) const;
    Ending ending(int n_moves) const;
    // The pass, where it ends the game and the side to move has won it then; else -1.
    int winning_end() const;
    Move code(Move move) const { return move; }
    int from_code(Move code) const { return now_.is_legal(code) ? code : -1; }
    void play(Move move) { now_.play(move); }
    void rewind() {
        if (now_.ply() != root_.ply()) now_ = root_;
    }
    void settle();
    int rollout(Random& random);

  private:
    using Stones = std::array<std::uint8_t, go::MAX_POINTS>;
    static Stones stones_of(const go::Board& board);

    Limits limits_;
    go::Position root_, now_;
    std::vector<Stones> past_;  // before the root, the latest last, LONGEST_HISTORY - 1 at most
};

static_assert(State<GoState>);

}  // namespace tabia::mcts
