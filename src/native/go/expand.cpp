#include "go/expand.hpp"

#include <cstring>

#include "go/pack.hpp"

namespace tabia::go {
namespace {

bool play_if_legal(Position& position, Move move) {
    if (position.is_terminal()) position.resume();
    if (!position.is_legal(move)) return false;
    position.play(move);
    return true;
}

}  // namespace

void write_legal_mask(const Position& position, std::uint8_t* out) {
    MoveList moves;
    position.legal_moves(moves);
    std::memset(out, 0, MOVE_CODES);
    for (int i = 0; i < moves.size; ++i) out[moves.moves[i]] = 1;
}

std::int64_t expand_games(const Games& games, PositionRows rows) {
    std::int64_t row = 0;
    for (std::int64_t game = 0; game < games.n_games; ++game) {
        Position p = games.starts[games.start_index[game]];
        const std::int64_t begin = games.offsets[game], end = games.offsets[game + 1];
        for (std::int64_t i = begin; i <= end; ++i, ++row) {
            pack(p.board(), p.passes(), rows.board + PACKED_SIZE * row);
            rows.key[row] = p.key();
            if (rows.legal) write_legal_mask(p, rows.legal + MOVE_CODES * row);
            rows.game[row] = static_cast<std::int32_t>(game);
            rows.ply[row] = static_cast<std::int32_t>(i - begin);
            rows.move[row] = i < end ? games.moves[i] : NO_MOVE;
            if (i < end && !play_if_legal(p, games.moves[i])) return i;
        }
    }
    return -1;
}

void replay_games(const Games& games, std::int32_t* legal_plies) {
    for (std::int64_t game = 0; game < games.n_games; ++game) {
        Position p = games.starts[games.start_index[game]];
        const std::int64_t begin = games.offsets[game], end = games.offsets[game + 1];
        std::int64_t i = begin;
        while (i < end && play_if_legal(p, games.moves[i])) ++i;
        legal_plies[game] = static_cast<std::int32_t>(i - begin);
    }
}

}  // namespace tabia::go
