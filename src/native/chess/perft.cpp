#include "chess/perft.hpp"

#include "chess/movegen.hpp"

namespace tabia::chess {

std::uint64_t perft(const Position& p, int depth) {
    if (depth <= 0) return 1;
    MoveList list;
    generate_legal(p, list);
    if (depth == 1) return static_cast<std::uint64_t>(list.size);
    std::uint64_t leaves = 0;
    for (const Move move : list) {
        Position next = p;
        next.play(move);
        leaves += perft(next, depth - 1);
    }
    return leaves;
}

}  // namespace tabia::chess
