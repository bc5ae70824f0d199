// Counting: area and territory, dead stones removed, seki told from life.
//
// AREA: a player has the living stones and the empty points that reach only that player's stones.
// TERRITORY: the points that reach only one player's living stones count for that player unless the
// group is in seki, and each prisoner and each dead stone counts one. Groups are chains joined
// through points that only they reach. A group is in seki if it has not two eyes of its own and
// touches a neutral point (one that reaches both colours) where either side's stone would be in
// atari: see docs/go.md. Points that a group must fill once all neutral points are taken are not
// territory.
#pragma once

#include <cstdint>

#include "go/board.hpp"
#include "go/rules.hpp"

namespace tabia::go {

// What each colour has; arrays are indexed by colour.
struct Tally {
    int stones[3] = {};     // living stones
    int territory[3] = {};  // surrounded points, those under dead stones included
    int dead[3] = {};       // dead stones of that colour
    int prisoners[3] = {};  // taken by that colour in play
    int neutral = 0;        // points that count for nobody
    // By point, rows first: EMPTY, BLACK or WHITE; a living stone has its own colour.
    std::uint8_t owner[MAX_POINTS] = {};
    // By point, rows first: 1 for stones and points of groups in seki (TERRITORY only).
    std::uint8_t seki[MAX_POINTS] = {};
};

// `dead` marks points rows first, or is null for none; a chain with a marked stone is dead whole.
void tally(const Board& board, Scoring scoring, const std::uint8_t* dead, Tally& out);

// Black's points minus White's, without komi.
int margin(const Tally& tally, Scoring scoring);

// Black's points minus White's, komi included, no stone taken for dead.
float score_of(const Board& board, const Rules& rules);

// Black's area minus White's without komi, no stone taken for dead: the fast way. Writes who owns
// each point, rows first, if `owner` is not null.
int area_margin(const Board& board, std::uint8_t* owner = nullptr);

}  // namespace tabia::go
