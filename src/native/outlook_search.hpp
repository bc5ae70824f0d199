// What a move leads to: the material that its mover has won when the opponent has answered as is
// best for it and both sides have then taken what pays.
//
// The answer may be any legal move. After it the sides take turns with captures and promotions, for
// SETTLING plies at most; either may stop where that is better, unless it is in check, when it may
// play anything. A side that has been mated, or left without a move where that loses, has lost
// LOST half points. So the value sees forks, pinned defenders and threats that the answer cannot
// all meet, which exchanges on single squares do not.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tabia {

constexpr int SETTLING = 4;
constexpr int LOST = 2000;

// `Game` has the types Position, Move and MoveList and the static functions generate(position,
// list), gain(position, move): material in half points that the side to move wins by the move
// alone, and stuck(position): the value, for the side to move, of having no legal move.
template <typename Game>
class Outlook {
  public:
    using Position = typename Game::Position;
    using Move = typename Game::Move;

    // In half points, for the side to move of `p`, which plays `move`.
    static int value(const Position& p, Move move) {
        Position after = p;
        after.play(move);
        return Game::gain(p, move) - best(after, -2 * LOST, 2 * LOST, SETTLING, true);
    }

  private:
    struct Candidate {
        int gain;
        Move move;
    };

    // What the side to move can still win, at best; exact between `alpha` and `beta`.
    static int best(const Position& p, int alpha, int beta, int left, bool any) {
        if (!any && !p.is_check()) {
            if (beta <= 0 || left == 0) return 0;
            alpha = std::max(alpha, 0);
        } else if (left == 0) {
            return 0;
        } else {
            any = true;
        }
        typename Game::MoveList moves;
        Game::generate(p, moves);
        if (moves.size == 0) return any ? Game::stuck(p) : 0;
        Candidate found[sizeof moves.moves / sizeof moves.moves[0]];
        int n = 0;
        for (const Move move : moves) {
            const int gain = Game::gain(p, move);
            if (any || gain > 0) found[n++] = {gain, move};
        }
        std::sort(found, found + n, [](const Candidate& x, const Candidate& y) {
            return x.gain != y.gain ? x.gain > y.gain : x.move < y.move;
        });
        int most = any ? -LOST : 0;
        for (int i = 0; i < n && most < beta; ++i) {
            const int gain = found[i].gain;
            Position after = p;
            after.play(found[i].move);
            const int value = gain - best(after, gain - beta, gain - alpha, left - 1, false);
            most = std::max(most, value);
            alpha = std::max(alpha, value);
        }
        return most;
    }
};

// Columns of a table of outlooks: a move's, and how much less it is than the best move's.
enum OutlookColumn { OUTLOOK, OUTLOOK_BELOW_BEST, OUTLOOK_COLUMNS };

// Writes the rows of `n` legal moves, in points.
template <typename Game>
void write_outlooks(const typename Game::Position& p, const typename Game::Move* moves, int n,
                    float* out) {
    float most = -1e9F;
    for (int i = 0; i < n; ++i) {
        const int value = Outlook<Game>::value(p, moves[i]);
        out[i * OUTLOOK_COLUMNS + OUTLOOK] = static_cast<float>(value) / 2;
        most = std::max(most, out[i * OUTLOOK_COLUMNS + OUTLOOK]);
    }
    for (int i = 0; i < n; ++i)
        out[i * OUTLOOK_COLUMNS + OUTLOOK_BELOW_BEST] = most - out[i * OUTLOOK_COLUMNS + OUTLOOK];
}

}  // namespace tabia
