// From games to positions: replays moves and checks each, with or without a row a position.
#pragma once

#include <cstdint>

#include "xiangqi/position.hpp"

namespace tabia::xiangqi {

constexpr std::uint8_t FLAG_CHECK = 1;          // the side to move is in check
constexpr std::uint8_t FLAG_NO_LEGAL_MOVE = 2;  // the side to move has lost

// Games 0 .. n_games-1. Game g has moves[offsets[g] .. offsets[g+1]) and starts from
// starts[start_index[g]], or from the standard start when start_index[g] < 0.
struct Games {
    const std::uint16_t* moves;
    const std::int64_t* offsets;
    std::int64_t n_games;
    const Position* starts;
    const std::int64_t* start_index;
};

// Where the rows go; row i of each array belongs to one position.
struct PositionRows {
    std::uint8_t* board;  // [n, 45] packed
    std::uint64_t* key;
    std::uint8_t* flags;
    std::int32_t* game;
    std::int32_t* ply;
    std::uint16_t* move;  // move played next, NO_MOVE at the end
};

// Fills offsets[g+1] - offsets[g] + 1 rows a game. Returns -1, or the index in `moves` of the first
// illegal one.
std::int64_t expand_games(const Games& games, PositionRows rows);

// Number of legal moves from the start of each game up to its first illegal one: legal_plies[g].
void replay_games(const Games& games, std::int32_t* legal_plies);

}  // namespace tabia::xiangqi
