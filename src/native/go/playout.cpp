#include "go/playout.hpp"

#include <algorithm>

#include "go/shapes.hpp"

namespace tabia::go {
namespace {

bool has_eye_corners(const Board& board, int cell, std::uint8_t color) {
    const int s = board.geometry().stride;
    const std::uint8_t other = opponent(color);
    int foes = 0, borders = 0;
    for (const int step : {-s - 1, -s + 1, s - 1, s + 1}) {
        foes += board.color(cell + step) == other;
        borders += board.color(cell + step) == BORDER;
    }
    return foes + (borders > 0) <= 1;
}

// Whether the mover's stone takes nothing, leaves its chain one liberty, and the chain is neither
// one stone nor a shape that kills.
bool is_wasted_self_atari(const Board& board, int cell) {
    if (board.empty_neighbours(cell) >= 2) return false;
    constexpr int ENOUGH = 3;  // of a neighbour's liberties one is the point itself
    const std::uint8_t own = board.to_move();
    const int s = board.geometry().stride;
    const int steps[4] = {-1, 1, -s, s};
    std::uint16_t outside[1 + 4 * ENOUGH];
    int n_outside = 0, stones = 1, chains[4], n_chains = 0;
    for (const int step : steps) {
        const int n = cell + step;
        const std::uint8_t color = board.color(n);
        if (color == BORDER) continue;
        if (color == EMPTY) {
            if (std::find(outside, outside + n_outside, n) == outside + n_outside)
                outside[n_outside++] = static_cast<std::uint16_t>(n);
            continue;
        }
        std::uint16_t found[ENOUGH];
        const int chain = board.chain(n), count = board.liberties(chain, ENOUGH, found);
        if (color != own) {
            if (count == 1) return false;
            continue;
        }
        if (std::find(chains, chains + n_chains, chain) != chains + n_chains) continue;
        chains[n_chains++] = chain;
        stones += board.chain_stones(chain);
        for (int i = 0; i < count; ++i)
            if (found[i] != cell && std::find(outside, outside + n_outside, found[i]) ==
                                        outside + n_outside)
                outside[n_outside++] = found[i];
    }
    if (n_outside >= 2 || stones == 1) return false;
    if (stones > 6) return true;
    int shape[6] = {cell}, filled = 1;
    for (int i = 0; i < n_chains; ++i) {
        int stone = chains[i];
        do shape[filled++] = stone;
        while ((stone = board.next_in_chain(stone)) != chains[i]);
    }
    return !is_one_eye_shape(shape, filled, s);
}

template <Policy POLICY>
bool is_candidate(const Board& board, int cell) {
    if (cell == board.ko()) return false;
    if (board.empty_neighbours(cell) == 0) {
        const std::uint8_t own = board.to_move();
        if (POLICY != Policy::UNIFORM && board.own_neighbours(cell, own) == 4 &&
            has_eye_corners(board, cell, own))
            return false;
        if (!board.captures_or_lives(cell, own)) return false;
    }
    return POLICY != Policy::CAREFUL || !is_wasted_self_atari(board, cell);
}

template <Policy POLICY>
int play(Board& board, int passes, int longest, Random& random) {
    int moves = 0;
    for (; passes < 2 && moves < longest; ++moves) {
        // With UNIFORM the pass is one more ticket among the empty points.
        constexpr int TICKETS_OF_PASS = POLICY == Policy::UNIFORM;
        int left = board.empty_count(), chosen = 0;
        while (left + TICKETS_OF_PASS > 0) {
            const int i = random.below(left + TICKETS_OF_PASS);
            if (i == left) break;
            const int cell = board.take_empty(i, --left);
            if (is_candidate<POLICY>(board, cell)) {
                chosen = cell;
                break;
            }
        }
        if (chosen) {
            board.play(chosen);
            passes = 0;
        } else {
            board.pass();
            ++passes;
        }
    }
    return moves;
}

}  // namespace

bool is_eye(const Board& board, int cell, std::uint8_t color) {
    return board.color(cell) == EMPTY && board.own_neighbours(cell, color) == 4 &&
           has_eye_corners(board, cell, color);
}

int longest_playout(const Board& board, Policy policy) {
    return (policy == Policy::UNIFORM ? 2 : 3) * board.geometry().n_points;
}

int play_out(Board& board, int passes, Policy policy, int longest, Random& random) {
    switch (policy) {
        case Policy::UNIFORM: return play<Policy::UNIFORM>(board, passes, longest, random);
        case Policy::NO_EYES: return play<Policy::NO_EYES>(board, passes, longest, random);
        case Policy::CAREFUL: return play<Policy::CAREFUL>(board, passes, longest, random);
    }
    return 0;
}

}  // namespace tabia::go
