#include "xiangqi/outlook.hpp"

#include "outlook_search.hpp"
#include "xiangqi/exchange.hpp"
#include "xiangqi/movegen.hpp"
#include "xiangqi/pack.hpp"

namespace tabia::xiangqi {
namespace {

struct Rules {
    using Position = xiangqi::Position;
    using Move = xiangqi::Move;
    using MoveList = xiangqi::MoveList;

    static void generate(const Position& p, MoveList& list) { generate_legal(p, list); }
    static int stuck(const Position&) { return -LOST; }
    static int gain(const Position& p, Move move) {
        const int from = from_of(move), to = to_of(move), taken = p.board[to];
        const int type = type_of(p.board[from]), us = p.side;
        const int grown = half_points(us, type, to) - half_points(us, type, from);
        return taken ? grown + half_points(us ^ 1, type_of(taken), to) : grown;
    }
};

}  // namespace

std::string outlooks(const std::uint8_t* packed, const Move* moves, int n, float* out) {
    Position p;
    if (const std::string fault = unpack(packed, p); !fault.empty())
        return "the board is no position: " + fault;
    for (int i = 0; i < n; ++i)
        if (!is_legal(p, moves[i])) return "move " + std::to_string(moves[i]) + " is not legal";
    write_outlooks<Rules>(p, moves, n, out);
    return {};
}

}  // namespace tabia::xiangqi
