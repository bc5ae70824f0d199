#include "chess/outlook.hpp"

#include <vector>

#include "chess/movegen.hpp"
#include "chess/pack.hpp"
#include "outlook_search.hpp"

namespace tabia::chess {
namespace {

constexpr int VALUE[7] = {0, 2, 6, 6, 10, 18, 0};  // half points

struct Rules {
    using Position = chess::Position;
    using Move = chess::Move;
    using MoveList = chess::MoveList;

    static void generate(const Position& p, MoveList& list) { generate_legal(p, list); }
    static int stuck(const Position& p) { return p.is_check() ? -LOST : 0; }
    static int gain(const Position& p, Move move) {
        const int to = to_of(move), taken = p.board[to], promoted = promotion_of(move);
        int won = promoted ? VALUE[promoted] - VALUE[PAWN] : 0;
        if (taken && color_of(taken) != p.side) won += VALUE[type_of(taken)];  // no own rook
        else if (to == p.ep && type_of(p.board[from_of(move)]) == PAWN) won += VALUE[PAWN];
        return won;
    }
};

}  // namespace

std::string outlooks(const std::uint8_t* packed, const Move* codes, int n, float* out) {
    Position p;
    std::string fault = unpack(packed, p);
    if (fault.empty() && needs_chess960(p)) fault = "castling rights need Chess960 rules";
    if (!fault.empty()) return "the board is no position: " + fault;
    std::vector<Move> moves(n);
    for (int i = 0; i < n; ++i) {
        moves[i] = from_codec(p, codes[i], false);
        if (!is_legal(p, moves[i])) return "move " + std::to_string(codes[i]) + " is not legal";
    }
    write_outlooks<Rules>(p, moves.data(), n, out);
    return {};
}

}  // namespace tabia::chess
