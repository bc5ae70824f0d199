#include "mcts/go_state.hpp"

#include <algorithm>

#include "go/playout.hpp"
#include "go/random.hpp"
#include "go/score.hpp"

namespace tabia::mcts {
namespace {

constexpr int TOLD_LIBERTIES = 3;  // chains with more look alike

int sign(float score) { return (score > 0) - (score < 0); }

void play_code(go::Board& board, Move move) {
    if (move == go::PASS) board.pass();
    else board.play(board.geometry().cell_of[move]);
}

}  // namespace

GoState::GoState(const go::Position& start, const Limits& limits)
    : limits_(limits), root_(start), now_(start) {}

GoState::Stones GoState::stones_of(const go::Board& board) {
    Stones stones{};
    const go::Geometry& geometry = board.geometry();
    for (int i = 0; i < geometry.n_points; ++i) stones[i] = board.color(geometry.cells[i]);
    return stones;
}

int GoState::legal_moves(Move* out) const {
    go::MoveList list;
    now_.legal_moves(list);
    if (!limits_.spares_eyes) {
        std::copy(list.moves, list.moves + list.size, out);
        return list.size;
    }
    const go::Board& board = now_.board();
    const std::uint8_t us = board.to_move();
    int n = 0;
    for (int i = 0; i < list.size; ++i) {
        const Move move = list.moves[i];
        if (move == go::PASS || !go::is_eye(board, board.geometry().cell_of[move], us))
            out[n++] = move;
    }
    return n;
}

Ending GoState::ending(int) const {
    const bool is_over =
        now_.is_terminal() || (limits_.max_plies && now_.ply() >= limits_.max_plies);
    return {is_over, is_over ? sign(now_.score()) : 0};
}

int GoState::winning_end() const {
    if (now_.is_terminal() || now_.passes() != 1) return -1;
    const int result = sign(now_.score());
    return (side() == 0 ? result : -result) > 0 ? static_cast<int>(go::PASS) : -1;
}

void GoState::settle() {
    go::Board board = root_.board();
    const std::vector<Move>& moves = now_.moves();
    for (std::size_t i = root_.moves().size(); i < moves.size(); ++i) {
        if (past_.size() == LONGEST_HISTORY - 1) past_.erase(past_.begin());
        past_.push_back(stones_of(board));
        play_code(board, moves[i]);
    }
    root_ = now_;
}

int GoState::rollout(Random& random) {
    go::Board board = now_.board();
    go::Random own{random.next()};
    const go::Policy policy =
        limits_.rollout_fills_eyes ? go::Policy::UNIFORM : go::Policy::NO_EYES;
    const int longest = limits_.rollout_plies ? limits_.rollout_plies
                                              : go::longest_playout(board, policy);
    go::play_out(board, now_.passes(), policy, longest, own);
    return sign(static_cast<float>(go::area_margin(board)) - now_.rules().komi);
}

void GoState::encode(int history, float* out) const {
    const go::Board& board = now_.board();
    const go::Geometry& geometry = board.geometry();
    const int n = geometry.n_points;
    std::fill(out, out + n * planes(history), 0.0F);
    const std::uint8_t us = board.to_move();
    const auto write = [&](int back, const Stones& stones) {
        float* own = out + 2 * n * back;
        float* other = own + n;
        for (int i = 0; i < n; ++i) {
            own[i] = stones[i] == us;
            other[i] = stones[i] == go::opponent(us);
        }
    };
    write(0, stones_of(board));
    const int depth = now_.ply() - root_.ply();
    if (history > 1 && depth > 0) {
        go::Board walked = root_.board();
        for (int i = 0; i < depth; ++i) {
            if (depth - i < history) write(depth - i, stones_of(walked));
            play_code(walked, now_.moves()[root_.moves().size() + i]);
        }
    }
    for (int i = 0; i < static_cast<int>(past_.size()); ++i) {
        const int back = depth + static_cast<int>(past_.size()) - i;
        if (back < history) write(back, past_[i]);
    }
    float* plane = out + 2 * n * history;
    for (int i = 0; i < n; ++i)
        plane[i] = board.color(geometry.cells[i]) == go::EMPTY &&
                   !now_.is_legal(geometry.code_of[geometry.cells[i]]);
    const std::vector<Move>& moves = now_.moves();
    const bool passed = moves.empty() ? now_.start_passes() > 0 : moves.back() == go::PASS;
    std::fill(plane + n, plane + 2 * n, us == go::BLACK ? 1.0F : 0.0F);
    std::fill(plane + 2 * n, plane + 3 * n, passed ? 1.0F : 0.0F);
    const float komi = now_.rules().komi / 10;
    std::fill(plane + 3 * n, plane + 4 * n, us == go::BLACK ? -komi : komi);
    plane += 4 * n;
    for (int i = 0; i < n; ++i) {
        const int cell = geometry.cells[i];
        if (board.color(cell) == go::EMPTY) continue;
        std::uint16_t found[TOLD_LIBERTIES + 1];
        const int liberties = board.liberties(board.chain(cell), TOLD_LIBERTIES + 1, found);
        if (liberties <= TOLD_LIBERTIES) plane[n * (liberties - 1) + i] = 1;
    }
}

}  // namespace tabia::mcts
