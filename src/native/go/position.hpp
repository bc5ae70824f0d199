// A Go position with the game behind it: what a search plays on.
//
// A copy costs a few hundred nanoseconds on 19x19 and no allocation where the target has played as
// long a game before; there is no undo. Superko is exact: an equal key is only a hint, and the game
// is replayed to compare the stones.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "go/board.hpp"
#include "go/rules.hpp"

namespace tabia::go {

struct MoveList {
    Move moves[MOVE_CODES];
    int size = 0;
};

class Position {
public:
    explicit Position(int size = MAX_SIZE, const Rules& rules = {});
    // Starts from stones on a board, with no game behind them.
    Position(const Board& start, int passes, const Rules& rules);

    const Board& board() const { return board_; }
    const Rules& rules() const { return rules_; }
    void set_komi(float komi) { rules_.komi = komi; }
    int size() const { return board_.size(); }
    std::uint8_t to_move() const { return board_.to_move(); }
    // Passes in a row, the last moves; 0, 1 or 2.
    int passes() const { return passes_; }
    // Moves played since the start, passes included.
    int ply() const { return static_cast<int>(moves_.size()); }
    const std::vector<Move>& moves() const { return moves_; }
    const Board& start() const { return *start_; }
    int start_passes() const { return start_passes_; }

    // Key of stones, size, side to move, ko and passes: positions without history that are equal
    // have equal keys.
    std::uint64_t key() const;
    // How often the stones with this side to move stood before.
    int repetitions() const;

    // Two passes in a row end the game. Nothing else does: whoever plays games without superko sets
    // a limit to their length.
    bool is_terminal() const { return passes_ >= 2; }
    // Whether the move may be played by the rules; nothing may once the game has ended.
    bool is_legal(Move move) const;
    // Every legal move, ascending, the pass last; none once the game has ended.
    void legal_moves(MoveList& out) const;
    // Plays a legal move. Anything else is undefined.
    void play(Move move);
    // Goes on after two passes, as players do who disagree on what is dead.
    void resume() { passes_ = 0; }
    // Black's points minus White's, komi included, with the stones as they stand: none is taken for
    // dead. See score.hpp.
    float score() const;

    // Superko looks at these bits of the keys first. For tests, which need keys that collide.
    void set_compared_bits_for_tests(std::uint64_t bits);

private:
    std::uint64_t repetition_key(std::uint64_t stones, std::uint8_t to_move) const;
    void remember();
    bool may_repeat(std::uint64_t key) const {
        return filter_[key >> 6 & 63] >> (key & 63) & 1;
    }
    bool repeats(int cell) const;
    bool is_legal_cell(int cell) const {
        return board_.is_legal(cell, rules_.allows_suicide) &&
               (rules_.ko == KoRule::SIMPLE || !repeats(cell));
    }

    Board board_;
    Rules rules_;
    int passes_ = 0;
    int start_passes_ = 0;
    int fewest_empty_;  // of all boards so far
    std::uint64_t compared_bits_ = ~std::uint64_t{0};
    std::array<std::uint64_t, 64> filter_{};  // one bit a key seen, to answer most questions at once
    std::vector<Move> moves_;
    std::vector<std::uint64_t> keys_;  // repetition key before each move, and of now
    std::shared_ptr<const Board> start_;
};

}  // namespace tabia::go
