#include "mcts/xiangqi_state.hpp"

#include <algorithm>
#include <cstdlib>

namespace tabia::mcts {
namespace {

using namespace tabia::xiangqi;

// Label of every code from the mover's view, -1 for none: see tabia.games.xiangqi_moves.
std::vector<std::int16_t> made_labels() {
    std::vector<std::int16_t> labels(MOVE_CODES, -1);
    std::int16_t next = 0;
    for (int from = 0; from < SQUARES; ++from) {
        for (int to = 0; to < SQUARES; ++to) {
            const int wide = std::abs(file_of(to) - file_of(from));
            const int high = std::abs(rank_of(to) - rank_of(from));
            bool known = (wide == 0) != (high == 0) || (wide + high == 3 && wide && high);
            // An advisor's step leads from its palace's centre or to it, an elephant's from one of
            // its side's seven points to another.
            const auto centre = [](int s) { return s == 13 || s == 76; };
            known |= wide == 1 && high == 1 && (centre(from) || centre(to));
            const auto point = [](int s) {
                const int own = half_of(s) ? SQUARES - 1 - s : s;
                return own == 2 || own == 6 || own == 18 || own == 22 || own == 26 || own == 38 ||
                       own == 42;
            };
            known |= wide == 2 && high == 2 && point(from) && point(to) &&
                     half_of(from) == half_of(to);
            if (known) labels[xiangqi::make_move(from, to)] = next++;
        }
    }
    return labels;
}

const std::vector<std::int16_t> LABEL_OF = made_labels();
constexpr int TURNED = 91 * 89;  // less a code: both squares turned by half

}  // namespace

XiangqiState::XiangqiState(const Position& start, const Limits& limits)
    : limits_(limits), positions_{start} {
    remember(start);
}

int XiangqiState::legal_moves(Move* out) const {
    MoveList list;
    generate_legal(now(), list);
    std::copy(list.begin(), list.end(), out);
    return list.size;
}

int XiangqiState::label(Move move) const {
    return LABEL_OF[now().side == RED ? move : TURNED - move];
}

int XiangqiState::earlier(int plies) const {
    const int back = std::min<int>(plies, static_cast<int>(positions_[plies].halfmove));
    int found = 0;
    for (int i = plies - 4; i >= plies - back; i -= 2) found += keys_[i] == keys_[plies];
    return found;
}

Ending XiangqiState::ending(const Position& p, int n_moves) const {
    if (n_moves == 0) return {true, p.side == RED ? -1 : 1};
    const int quiet = static_cast<int>(p.halfmove);
    const int last = static_cast<int>(keys_.size()) - 1;
    if (limits_.repetitions && quiet >= 4 * (limits_.repetitions - 1)) {
        int left = limits_.repetitions - 1, first = last;
        for (int i = last - 4; left && i >= 0 && i >= last - quiet; i -= 2) {
            if (keys_[i] != keys_[last]) continue;
            first = i;
            --left;
        }
        if (!left) {
            // The side that is to move now moved to the positions an odd number of plies ago.
            bool now_checks = true, other_checks = true;
            for (int i = first + 1; i <= last; ++i)
                ((last - i) % 2 ? now_checks : other_checks) &= checks_[i] != 0;
            if (now_checks == other_checks) return {true, 0};
            return {true, now_checks == (p.side == RED) ? -1 : 1};
        }
    }
    if (limits_.quiet_plies && quiet >= limits_.quiet_plies) return {true, 0};
    if (limits_.max_plies && last >= limits_.max_plies) return {true, 0};
    return {false, 0};
}

int XiangqiState::rollout(Random& random) {
    Position p = now();
    const std::size_t begun = keys_.size();
    int result = 0;
    for (int ply = 0;; ++ply) {
        MoveList list;
        generate_legal(p, list);
        const Ending end = ending(p, list.size);
        if (end.is_over || (limits_.rollout_plies && ply >= limits_.rollout_plies)) {
            result = end.result;
            break;
        }
        p.play(list.moves[random.below(static_cast<std::uint32_t>(list.size))]);
        remember(p);
    }
    keys_.resize(begun);
    checks_.resize(begun);
    return result;
}

void XiangqiState::encode(int history, float* out) const {
    const int us = now().side;
    std::fill(out, out + SQUARES * planes(history), 0.0F);
    const int last = plies();
    for (int back = 0; back < history && back <= last; ++back) {
        const Position& p = positions_[last - back];
        float* plane = out + SQUARES * PLANES_A_POSITION * back;
        for (int color : {us, us ^ 1}) {
            for (int type = KING; type <= PAWN; ++type, plane += SQUARES)
                for (Bitboard b = p.pieces(color, type); b;) {
                    const int square = pop_lowest(b);
                    plane[us == RED ? square : SQUARES - 1 - square] = 1;
                }
        }
        if (earlier(last - back)) std::fill(plane, plane + SQUARES, 1.0F);
    }
    float* plane = out + SQUARES * PLANES_A_POSITION * history;
    std::fill(plane, plane + SQUARES, static_cast<float>(now().halfmove) / 120);
}

}  // namespace tabia::mcts
