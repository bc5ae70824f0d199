// Chess for the search: standard castling, and the ends of `tabia.games.chess`.
//
// A game is over at mate, stalemate, dead material (K, K+N or K+B against K, bishops on one colour),
// the third time a position comes up, and after a hundred plies without capture or pawn move; mate
// goes first. The numbers are limits of the search.
//
// Planes, 8x8, from the view of the side to move (for Black square s is s ^ 56), row 0 the own back
// rank:
//
//   for each of `history` positions, the latest first (zero before the game began):
//     own P N B R Q K, opponent's P N B R Q K            1 where one stands
//     came up before in this game                        1 everywhere, or 0
//   own right to castle short, long; the opponent's      1 everywhere, or 0
//   en passant                                           1 on the square of a legal capture
//   plies without capture or pawn move / 100             everywhere
#pragma once

#include <cstdint>
#include <vector>

#include "chess/movegen.hpp"
#include "chess/position.hpp"
#include "mcts/state.hpp"

namespace tabia::mcts {

class ChessState {
  public:
    static constexpr int MAX_MOVES = 512;
    static constexpr int LABELS = 1858;  // tabia.games.chess_moves
    static constexpr int PLANES_A_POSITION = 13, OTHER_PLANES = 6;

    ChessState(const chess::Position& start, const Limits& limits);

    int rows() const { return 8; }
    int columns() const { return 8; }
    int labels() const { return LABELS; }
    int planes(int history) const { return PLANES_A_POSITION * history + OTHER_PLANES; }
    void encode(int history, float* out) const;
    int label(Move move) const;
    int plies() const { return static_cast<int>(positions_.size()) - 1; }
    int side() const { return now().side; }
    int legal_moves(Move* out) const;
    Ending ending(int n_moves) const;
    Move code(Move move) const { return chess::to_codec(now(), move, false); }
    int from_code(Move code) const;
    void play(Move move) {
        positions_.push_back(positions_.back());
        positions_.back().play(move);
        keys_.push_back(positions_.back().key);
    }
    void rewind() {
        positions_.resize(root_ + 1);
        keys_.resize(root_ + 1);
    }
    void settle() { root_ = plies(); }
    int rollout(Random& random);

    const chess::Position& now() const { return positions_.back(); }

  private:
    Ending ending(const chess::Position& p, int n_moves) const;
    // How often the position of `plies` had come up before.
    int earlier(int plies) const;

    Limits limits_;
    int root_ = 0;
    std::vector<chess::Position> positions_;
    std::vector<std::uint64_t> keys_;
};

static_assert(State<ChessState>);

}  // namespace tabia::mcts
