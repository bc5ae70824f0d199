#include "xiangqi/perft.hpp"

#include "xiangqi/movegen.hpp"

namespace tabia::xiangqi {
namespace {

std::uint64_t walk(Position& p, int depth) {
    if (depth == 1) return static_cast<std::uint64_t>(count_legal(p));
    MoveList list;
    generate_legal(p, list);
    std::uint64_t leaves = 0;
    for (const Move move : list) {
        const Undo last = p.play(move);
        leaves += walk(p, depth - 1);
        p.undo(last);
    }
    return leaves;
}

}  // namespace

std::uint64_t perft(const Position& p, int depth) {
    if (depth <= 0) return 1;
    Position copy = p;
    return walk(copy, depth);
}

}  // namespace tabia::xiangqi
