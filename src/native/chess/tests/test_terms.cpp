// Tests of the evaluation terms that need no Python; prints each failed claim. The golden values
// of many positions are in tests/golden/chess_terms.json, read by pytest.
#include <cstdio>
#include <string>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/terms.hpp"

using namespace tabia::chess;

namespace {

int failures = 0;

void check(bool claim, const std::string& what) {
    if (claim) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

Position position(const char* fen) {
    Position p;
    const std::string fault = parse_fen(fen, p);
    check(fault.empty(), std::string(fen) + ": " + fault);
    return p;
}

// Colours exchanged, ranks turned round.
Position colour_flipped(const Position& p) {
    Position q;
    for (int square = 0; square < 64; ++square)
        if (const int code = p.board[square])
            q.put(square ^ 56, piece_code(!color_of(code), type_of(code)));
    for (Bitboard b = p.castling; b;) q.castling |= bit(pop_lowest(b) ^ 56);
    q.side = p.side ^ 1;
    return q;
}

void flip_swaps_sides(const Position& p, int depth) {
    float terms[2 * N_TERMS], swapped[2 * N_TERMS];
    evaluation_terms(p, terms);
    evaluation_terms(colour_flipped(p), swapped);
    for (int i = 0; i < N_TERMS; ++i)
        check(terms[i] == swapped[N_TERMS + i] && terms[N_TERMS + i] == swapped[i],
              std::string(TERM_NAMES[i].name) + " after a colour flip of " + write_fen(p));
    if (depth == 0) return;
    MoveList list;
    generate_legal(p, list);
    for (const Move move : list) {
        Position next = p;
        next.play(move);
        flip_swaps_sides(next, depth - 1);
    }
}

struct Value {
    const char* fen;
    Term term;
    float white, black;
};

// Positions with few pieces, where each value can be counted by hand.
const Value VALUES[] = {
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", ATTACK, 5, 5},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", PASSED_SQUARE, 64, 64},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", KING_PAWN_DISTANCE, 0, 0},
    // A pinned knight attacks nothing, a pinned rook only along the pin.
    {"4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", KNIGHT_ATTACK, 0, 0},
    {"4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", PINNED_DIRECTION, 3, 0},
    {"4k3/4r3/8/8/4R3/8/8/4K3 w - - 0 1", ROOK_XRAY_ATTACK, 6, 4},
    // Bishops see through queens, rooks through queens and own rooks.
    {"7k/8/8/3Q4/8/1B6/8/K7 w - - 0 1", BISHOP_XRAY_ATTACK, 9, 0},
    {"7k/8/8/8/8/8/8/RR5K w - - 0 1", ROOK_XRAY_ATTACK, 28, 0},
    // A bishop that can reach an outpost counts a half.
    {"4k3/8/8/8/2P5/8/8/3BK3 w - - 0 1", OUTPOST_TOTAL, 0, 0},
    {"4k3/8/8/8/2P5/5B2/8/4K3 w - - 0 1", OUTPOST_TOTAL, 0.5, 0},
    {"4k3/8/8/3B4/2P5/8/8/4K3 w - - 0 1", OUTPOST_TOTAL, 1, 0},
    // At an endgame score of exactly zero each side takes the other one for the stronger.
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", SCALE_FACTOR, 0, 0},
    // A knight on g7 guards a square right of h8, beside the board, and so the path of h7.
    {"4k3/6nP/8/8/8/8/8/4K3 w - - 0 1", PASSED_BLOCK, 360, 0},
    {"4k3/4n2P/8/8/8/8/8/4K3 w - - 0 1", PASSED_BLOCK, 360, 0},
    {"4k3/3n3P/8/8/8/8/8/4K3 w - - 0 1", PASSED_BLOCK, 630, 0},
};

}  // namespace

int main() {
    for (const Value& v : VALUES) {
        float terms[2 * N_TERMS];
        evaluation_terms(position(v.fen), terms);
        check(terms[v.term] == v.white && terms[N_TERMS + v.term] == v.black,
              std::string(TERM_NAMES[v.term].name) + " of " + v.fen + ": " +
                  std::to_string(terms[v.term]) + ", " + std::to_string(terms[N_TERMS + v.term]));
    }
    flip_swaps_sides(START, 2);
    for (const char* fen :
         {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
          "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
          "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
          "QQQQ3K/8/qq6/8/8/1k6/8/QQ1rrrr1 b - - 0 1"})
        flip_swaps_sides(position(fen), 1);
    return failures ? 1 : 0;
}
