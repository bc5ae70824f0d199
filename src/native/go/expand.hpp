// From games to positions: replays moves and checks each, with or without a row a position.
#pragma once

#include <cstdint>

#include "go/position.hpp"

namespace tabia::go {

// Games 0 .. n_games-1. Game g has moves[offsets[g] .. offsets[g+1]) and starts from
// starts[start_index[g]]. A game may go on after two passes: players who disagree on what is dead
// resume it.
struct Games {
    const std::uint16_t* moves;
    const std::int64_t* offsets;
    std::int64_t n_games;
    const Position* starts;
    const std::int64_t* start_index;
};

// Where the rows go; row i of each array belongs to one position. `legal` may be null.
struct PositionRows {
    std::uint8_t* board;  // [n, 96] packed
    std::uint64_t* key;
    std::int32_t* game;
    std::int32_t* ply;
    std::uint16_t* move;   // move played next, NO_MOVE at the end
    std::uint8_t* legal;   // [n, 362] 1 for legal codes
};

// Fills offsets[g+1] - offsets[g] + 1 rows a game. Returns -1, or the index in `moves` of the first
// illegal one.
std::int64_t expand_games(const Games& games, PositionRows rows);

// Number of legal moves from the start of each game up to its first illegal one: legal_plies[g].
void replay_games(const Games& games, std::int32_t* legal_plies);

// 1 for every legal code of a position, 0 for the others: [362].
void write_legal_mask(const Position& position, std::uint8_t* out);

}  // namespace tabia::go
