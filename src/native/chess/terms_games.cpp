#include "chess/terms_games.hpp"

#include "chess/movegen.hpp"
#include "chess/terms.hpp"

namespace tabia::chess {

std::int64_t terms_of_games(const std::uint16_t* moves, const std::int64_t* offsets,
                            std::int64_t n_games, const Position* starts,
                            const std::int64_t* start_index, const std::uint8_t* chess960,
                            float* out) {
    for (std::int64_t game = 0; game < n_games; ++game) {
        Position p = start_index[game] < 0 ? START : starts[start_index[game]];
        for (std::int64_t i = offsets[game];; ++i) {
            evaluation_terms(p, out);
            out += 2 * N_TERMS;
            if (i == offsets[game + 1]) break;
            const Move move = from_codec(p, moves[i], chess960[game] != 0);
            if (!is_legal(p, move)) return i;
            p.play(move);
        }
    }
    return -1;
}

}  // namespace tabia::chess
