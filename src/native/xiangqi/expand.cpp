#include "xiangqi/expand.hpp"

#include "xiangqi/movegen.hpp"
#include "xiangqi/pack.hpp"

namespace tabia::xiangqi {
namespace {

const Position& start_of(const Games& games, std::int64_t game) {
    const std::int64_t index = games.start_index[game];
    return index < 0 ? START : games.starts[index];
}

void write_row(const Position& p, const PositionRows& rows, std::int64_t row) {
    pack(p, rows.board + PACKED_SIZE * row);
    rows.key[row] = p.key;
    std::uint8_t flags = 0;
    if (p.is_check()) flags |= FLAG_CHECK;
    if (!has_legal_move(p)) flags |= FLAG_NO_LEGAL_MOVE;
    rows.flags[row] = flags;
}

}  // namespace

std::int64_t expand_games(const Games& games, PositionRows rows) {
    std::int64_t row = 0;
    for (std::int64_t game = 0; game < games.n_games; ++game) {
        Position p = start_of(games, game);
        const std::int64_t begin = games.offsets[game], end = games.offsets[game + 1];
        for (std::int64_t i = begin; i <= end; ++i, ++row) {
            write_row(p, rows, row);
            rows.game[row] = static_cast<std::int32_t>(game);
            rows.ply[row] = static_cast<std::int32_t>(i - begin);
            rows.move[row] = i < end ? games.moves[i] : NO_MOVE;
            if (i == end) continue;
            if (!is_legal(p, games.moves[i])) return i;
            p.play(games.moves[i]);
        }
    }
    return -1;
}

void replay_games(const Games& games, std::int32_t* legal_plies) {
    for (std::int64_t game = 0; game < games.n_games; ++game) {
        Position p = start_of(games, game);
        const std::int64_t begin = games.offsets[game], end = games.offsets[game + 1];
        std::int64_t i = begin;
        for (; i < end && is_legal(p, games.moves[i]); ++i) p.play(games.moves[i]);
        legal_plies[game] = static_cast<std::int32_t>(i - begin);
    }
}

}  // namespace tabia::xiangqi
