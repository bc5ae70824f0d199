#include "chess/expand.hpp"

#include "chess/movegen.hpp"
#include "chess/pack.hpp"

namespace tabia::chess {
namespace {

void write_row(const Position& p, const PositionRows& rows, std::int64_t row) {
    pack(p, rows.board + PACKED_SIZE * row);
    rows.key[row] = p.key;
    rows.phase[row] = static_cast<std::int16_t>(p.phase());
    std::uint8_t flags = 0;
    if (p.is_check()) flags |= FLAG_CHECK;
    if (!has_legal_move(p)) flags |= FLAG_NO_LEGAL_MOVE;
    if (needs_chess960(p)) flags |= FLAG_CHESS960_RIGHTS;
    rows.flags[row] = flags;
}

}  // namespace

std::int64_t expand_games(const std::uint16_t* moves, const std::int64_t* offsets,
                          std::int64_t n_games, const Position* starts,
                          const std::int64_t* start_index, const std::uint8_t* chess960,
                          PositionRows rows) {
    std::int64_t row = 0;
    for (std::int64_t game = 0; game < n_games; ++game) {
        Position p = start_index[game] < 0 ? START : starts[start_index[game]];
        for (std::int64_t i = offsets[game];; ++i, ++row) {
            write_row(p, rows, row);
            rows.game[row] = static_cast<std::int32_t>(game);
            rows.ply[row] = static_cast<std::int32_t>(i - offsets[game]);
            if (i == offsets[game + 1]) {
                rows.move[row++] = NO_MOVE;
                break;
            }
            rows.move[row] = moves[i];
            const Move move = from_codec(p, moves[i], chess960[game] != 0);
            if (!is_legal(p, move)) return i;
            p.play(move);
        }
    }
    return -1;
}

}  // namespace tabia::chess
