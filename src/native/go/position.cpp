#include "go/position.hpp"

#include <algorithm>

#include "go/score.hpp"

namespace tabia::go {
namespace {

bool same_stones(const Board& a, const Board& b) {
    const Geometry& g = a.geometry();
    return std::all_of(g.cells, g.cells + g.n_points,
                       [&](int cell) { return a.color(cell) == b.color(cell); });
}

void play_on(Board& board, Move move) {
    if (move == PASS) {
        board.pass();
    } else {
        board.play(board.geometry().cell_of[move]);
    }
}

}  // namespace

Position::Position(int size, const Rules& rules) : Position(Board(size), 0, rules) {}

Position::Position(const Board& start, int passes, const Rules& rules)
    : board_(start),
      rules_(rules),
      passes_(passes),
      start_passes_(passes),
      fewest_empty_(start.empty_count()),
      start_(std::make_shared<const Board>(start)) {
    remember();
}

std::uint64_t Position::repetition_key(std::uint64_t stones, std::uint8_t to_move) const {
    if (rules_.ko != KoRule::POSITIONAL && to_move == WHITE) stones ^= ZOBRIST.white_to_move;
    return stones & compared_bits_;
}

void Position::remember() {
    const std::uint64_t key = repetition_key(board_.stones_key(), to_move());
    keys_.push_back(key);
    fewest_empty_ = std::min(fewest_empty_, board_.empty_count());
    filter_[key >> 6 & 63] |= std::uint64_t{1} << (key & 63);
}

void Position::set_compared_bits_for_tests(std::uint64_t bits) {
    compared_bits_ = bits;
    filter_ = {};
    for (std::uint64_t& key : keys_) {
        key &= bits;
        filter_[key >> 6 & 63] |= std::uint64_t{1} << (key & 63);
    }
}

std::uint64_t Position::key() const {
    std::uint64_t key = board_.stones_key() ^ ZOBRIST.size[size()] ^ ZOBRIST.passes[passes_];
    if (to_move() == WHITE) key ^= ZOBRIST.white_to_move;
    if (board_.ko()) key ^= ZOBRIST.ko[board_.geometry().code_of[board_.ko()]];
    return key;
}

int Position::repetitions() const {
    if (std::count(keys_.begin(), keys_.end(), keys_.back()) == 1) return 0;
    Board board = *start_;
    int found = 0;
    for (const Move move : moves_) {
        found += board.to_move() == to_move() && same_stones(board, board_);
        play_on(board, move);
    }
    return found;
}

bool Position::repeats(int cell) const {
    // More stones than ever before: the usual move, and new for certain.
    if (board_.empty_count() <= fewest_empty_ && board_.empty_neighbours(cell) &&
        !board_.captures(cell))
        return false;
    const std::uint8_t next = opponent(to_move());
    const std::uint64_t key = repetition_key(board_.stones_key_after(cell), next);
    if (!may_repeat(key) || std::find(keys_.begin(), keys_.end(), key) == keys_.end()) return false;
    Board after = board_;
    after.play(cell);
    Board board = *start_;
    for (std::size_t ply = 0;; ++ply) {
        if (keys_[ply] == key && same_stones(board, after) &&
            (rules_.ko == KoRule::POSITIONAL || board.to_move() == next))
            return true;
        if (ply == moves_.size()) return false;
        play_on(board, moves_[ply]);
    }
}

bool Position::is_legal(Move move) const {
    if (is_terminal()) return false;
    if (move == PASS) return true;
    return is_point(move, size()) && is_legal_cell(board_.geometry().cell_of[move]);
}

void Position::legal_moves(MoveList& out) const {
    out.size = 0;
    if (is_terminal()) return;
    const Geometry& g = board_.geometry();
    for (int i = 0; i < g.n_points; ++i) {
        const int cell = g.cells[i];
        if (board_.color(cell) == EMPTY && is_legal_cell(cell))
            out.moves[out.size++] = g.code_of[cell];
    }
    out.moves[out.size++] = PASS;
}

void Position::play(Move move) {
    play_on(board_, move);
    passes_ = move == PASS ? passes_ + 1 : 0;
    moves_.push_back(move);
    remember();
}

float Position::score() const {
    return score_of(board_, rules_);
}

}  // namespace tabia::go
