// From games to positions: replays moves and writes one row a position.
#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace tabia::chess {

constexpr std::uint8_t FLAG_CHECK = 1;           // the side to move is in check
constexpr std::uint8_t FLAG_NO_LEGAL_MOVE = 2;   // mate or stalemate
constexpr std::uint8_t FLAG_CHESS960_RIGHTS = 4; // a castling right that needs Chess960 rules

// Where the rows go; row i of each array belongs to one position.
struct PositionRows {
    std::uint8_t* board;  // [n, 32] packed
    std::uint64_t* key;
    std::int16_t* phase;
    std::uint8_t* flags;
    std::int32_t* game;
    std::int32_t* ply;
    std::uint16_t* move;  // codec move played next, NO_MOVE at the end
};

// Replays games 0 .. n_games-1. Game g has moves[offsets[g] .. offsets[g+1]), starts from
// starts[start_index[g]], or from the standard start when start_index[g] < 0, and fills
// offsets[g+1] - offsets[g] + 1 rows. Returns -1, or the index in `moves` of the first illegal one.
std::int64_t expand_games(const std::uint16_t* moves, const std::int64_t* offsets,
                          std::int64_t n_games, const Position* starts,
                          const std::int64_t* start_index, const std::uint8_t* chess960,
                          PositionRows rows);

}  // namespace tabia::chess
