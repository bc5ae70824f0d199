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
// one stone nor a shape that kills those around it. It cannot kill if one of them has a liberty
// elsewhere: in a seki the stones around live.
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
    if (!is_one_eye_shape(shape, filled, s)) return true;
    for (int i = 0; i < filled; ++i)
        for (const int step : steps) {
            const int n = shape[i] + step;
            if (board.color(n) != opponent(own)) continue;
            std::uint16_t found[ENOUGH];
            const int count = board.liberties(board.chain(n), ENOUGH, found);
            for (int k = 0; k < count; ++k)
                if (found[k] != cell && (n_outside == 0 || found[k] != outside[0])) return true;
        }
    return false;
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

// The only liberty of a stone's chain, 0 if it has more.
int atari_at(const Board& board, int stone) {
    std::uint16_t found[2];
    return board.liberties(board.chain(stone), 2, found) == 1 ? found[0] : 0;
}

// An answer to the move just played at `last`, 0 if there is none: take the stone, or save a chain
// that it put into atari by taking a stone beside it or by a liberty that leaves more than one.
int answer(const Board& board, int last) {
    const std::uint8_t own = board.to_move(), other = opponent(own);
    const int s = board.geometry().stride;
    if (board.color(last) != other) return 0;
    const auto is_playable = [&](int cell) {
        return cell && cell != board.ko() && !board.is_suicide(cell, own);
    };
    if (const int cell = atari_at(board, last); is_playable(cell)) return cell;
    for (const int step : {-1, 1, -s, s}) {
        if (board.color(last + step) != own) continue;
        const int escape = atari_at(board, last + step);
        if (!escape) continue;
        const int first = board.chain(last + step);
        int stone = first;
        do {
            for (const int beside : {-1, 1, -s, s}) {
                if (board.color(stone + beside) != other) continue;
                if (const int cell = atari_at(board, stone + beside); is_playable(cell)) return cell;
            }
        } while ((stone = board.next_in_chain(stone)) != first);
        if (!is_playable(escape)) continue;
        Board after = board;
        after.play(escape);
        if (!atari_at(after, escape)) return escape;
    }
    return 0;
}

template <Policy POLICY>
int play(Board& board, int passes, int longest, Random& random) {
    int moves = 0, last = 0;
    for (; passes < 2 && moves < longest; ++moves) {
        // With UNIFORM the pass is one more ticket among the empty points.
        constexpr int TICKETS_OF_PASS = POLICY == Policy::UNIFORM;
        int left = board.empty_count(), chosen = 0;
        if (POLICY == Policy::CAREFUL && last) {
            chosen = answer(board, last);
            if (chosen && random.below(10) == 0) chosen = 0;
        }
        while (!chosen && left + TICKETS_OF_PASS > 0) {
            const int i = random.below(left + TICKETS_OF_PASS);
            if (i == left) break;
            const int cell = board.take_empty(i, --left);
            if (is_candidate<POLICY>(board, cell)) chosen = cell;
        }
        if (chosen) {
            board.play(chosen);
            passes = 0;
        } else {
            board.pass();
            ++passes;
        }
        last = chosen;
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
