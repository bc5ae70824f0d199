// Xiangqi for the search: the ends of `tabia.games.xiangqi_referee` under `none` and `simple`.
//
// A side without a legal move has lost, in check or not. The third time a position comes up since
// the last capture the game is drawn, unless one side alone gave check with every move since the
// first of these three times: it loses. After 120 plies without a capture the game is drawn.
// The numbers are limits of the search. The chases of the Asian rules are not judged here.
//
// Planes, 10x9, from the view of the side to move (for Black the board is turned by half, square s
// is 89 - s), row 0 the own back rank:
//
//   for each of `history` positions, the latest first (zero before the game began):
//     own K A E H R C P, opponent's K A E H R C P        1 where one stands
//     came up before in this game                        1 everywhere, or 0
//   plies without a capture / 120                        everywhere
#pragma once

#include <cstdint>
#include <vector>

#include "mcts/state.hpp"
#include "xiangqi/movegen.hpp"
#include "xiangqi/position.hpp"

namespace tabia::mcts {

class XiangqiState {
  public:
    static constexpr int MAX_MOVES = 128;
    static constexpr int LABELS = 2086;  // tabia.games.xiangqi_moves
    static constexpr int PLANES_A_POSITION = 15, OTHER_PLANES = 1;

    XiangqiState(const xiangqi::Position& start, const Limits& limits);

    int rows() const { return xiangqi::RANKS; }
    int columns() const { return xiangqi::FILES; }
    int labels() const { return LABELS; }
    int planes(int history) const { return PLANES_A_POSITION * history + OTHER_PLANES; }
    void encode(int history, float* out) const;
    int label(Move move) const;
    int plies() const { return static_cast<int>(keys_.size()) - 1; }
    int side() const { return now().side; }
    int legal_moves(Move* out) const;
    Ending ending(int n_moves) const { return ending(now(), n_moves); }
    Move code(Move move) const { return move; }
    int from_code(Move code) const { return xiangqi::is_legal(now(), code) ? code : -1; }
    void play(Move move) {
        positions_.push_back(positions_.back());
        positions_.back().play(move);
        remember(positions_.back());
    }
    void rewind() {
        positions_.resize(root_ + 1);
        keys_.resize(root_ + 1);
        checks_.resize(root_ + 1);
    }
    void settle() { root_ = plies(); }
    int rollout(Random& random);

    const xiangqi::Position& now() const { return positions_.back(); }

  private:
    void remember(const xiangqi::Position& p) {
        keys_.push_back(p.key);
        checks_.push_back(p.is_check());
    }
    Ending ending(const xiangqi::Position& p, int n_moves) const;
    int earlier(int plies) const;

    Limits limits_;
    int root_ = 0;
    std::vector<xiangqi::Position> positions_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint8_t> checks_;  // whether the side to move is in check
};

static_assert(State<XiangqiState>);

}  // namespace tabia::mcts
