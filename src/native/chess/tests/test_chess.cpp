// Tests of the chess core that need no Python: `chess_tests SUBJECT`. Prints each failed claim.
// Perft values: https://www.chessprogramming.org/Perft_Results and, for Chess960,
// https://www.chessprogramming.org/Chess960_Perft_Results.
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/pack.hpp"
#include "chess/perft.hpp"
#include "chess/pgn.hpp"
#include "chess/san.hpp"

using namespace tabia::chess;

namespace {

int failures = 0;

// Golden keys: written to tables, so they may never change.
constexpr std::uint64_t GOLDEN_START = 14093064960528342989ULL;
constexpr std::uint64_t GOLDEN_KIWIPETE = 2883019578685501313ULL;

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

struct PerftCase {
    const char* fen;
    int depth;
    std::uint64_t leaves;
};

void perft_cases(const PerftCase* cases, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t leaves = perft(position(cases[i].fen), cases[i].depth);
        check(leaves == cases[i].leaves, std::string(cases[i].fen) + ": " +
                                             std::to_string(leaves) + ", not " +
                                             std::to_string(cases[i].leaves));
    }
}

void test_perft() {
    static const PerftCase CASES[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89941194},
        {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164075551},
        // Traps collected by Martin Sedlak: pins and checks round en passant and castling.
        {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888},
        {"8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1038514},
        {"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711},
        {"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206},
        {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476},
        {"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001},
        {"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658},
        {"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342},
        {"8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683},
        {"K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217},
        {"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584},
        {"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527},
    };
    perft_cases(CASES, std::size(CASES));
}

void test_chess960() {
    static const PerftCase CASES[] = {
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 5, 8146062},
        {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 5, 16253601},
        {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 5, 6417013},
        {"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", 5, 9183776},
        // A rook that castles away from the first rank uncovers an attack on its king.
        {"4k3/8/8/8/8/8/8/qRK5 w B - 0 1", 1, 0},
    };
    perft_cases(CASES, std::size(CASES) - 1);
    const Position shielded = position(CASES[std::size(CASES) - 1].fen);
    check(!is_castling_legal(shielded, 1), "castling uncovers the queen on a1");
    check(needs_chess960(shielded), "rights with the king on c1 need Chess960");
    check(!needs_chess960(START), "the standard start needs no Chess960");
}

Bitboard walk(int square, Bitboard occupied, bool diagonal) {
    Bitboard attacks = 0;
    for (int df = -1; df <= 1; ++df)
        for (int dr = -1; dr <= 1; ++dr) {
            if ((df == 0 && dr == 0) || (df != 0 && dr != 0) != diagonal) continue;
            int f = file_of(square) + df, r = rank_of(square) + dr;
            for (; f >= 0 && f < 8 && r >= 0 && r < 8; f += df, r += dr) {
                attacks |= bit(8 * r + f);
                if (occupied & bit(8 * r + f)) break;
            }
        }
    return attacks;
}

void test_attacks() {
    for (int square = 0; square < 64; ++square)
        for (const bool diagonal : {false, true}) {
            const Magic& m = diagonal ? TABLES.bishop[square] : TABLES.rook[square];
            Bitboard blockers = 0;
            do {
                check(slide(m, blockers) == walk(square, blockers, diagonal),
                      "attacks of square " + std::to_string(square));
                blockers = (blockers - m.mask) & m.mask;
            } while (blockers);
        }
}

// Walks a tree and checks at every node what must hold in each position.
void walk_tree(const Position& p, int depth) {
    check(p.key == p.computed_key(), "key of " + write_fen(p));
    check(position_fault(p).empty(), "soundness of " + write_fen(p));

    std::uint8_t packed[PACKED_SIZE], again[PACKED_SIZE];
    pack(p, packed);
    Position back;
    check(unpack(packed, back).empty() && back.key == p.key, "packing of " + write_fen(p));
    pack(back, again);
    check(std::memcmp(packed, again, PACKED_SIZE) == 0, "second packing of " + write_fen(p));

    MoveList list;
    generate_legal(p, list);
    check(has_legal_move(p) == (list.size > 0), "has_legal_move of " + write_fen(p));
    for (const Move move : list) {
        const bool chess960 = needs_chess960(p);
        check(from_codec(p, to_codec(p, move, chess960), chess960) == move,
              "codec of " + write_uci(move) + " in " + write_fen(p));
        check(read_san(p, write_san(p, move)).move == move,
              "SAN " + write_san(p, move) + " in " + write_fen(p));
    }
    int legal = 0;
    for (int code = 0; code < 0x5000; ++code) legal += is_legal(p, static_cast<Move>(code));
    check(legal == list.size, "is_legal of " + write_fen(p));
    if (depth == 0) return;
    for (const Move move : list) {
        Position next = p;
        next.play(move);
        walk_tree(next, depth - 1);
    }
}

void test_keys() {
    // Golden: these numbers are written to tables. See zobrist.hpp.
    check(START.key == GOLDEN_START, "key of the start: " + std::to_string(START.key));
    const Position kiwipete =
        position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    check(kiwipete.key == GOLDEN_KIWIPETE, "key of kiwipete: " + std::to_string(kiwipete.key));
    walk_tree(START, 1);
    walk_tree(kiwipete, 1);
    walk_tree(position("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 2);
    walk_tree(position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"), 1);
    walk_tree(position("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"), 1);
    check(START.phase() == 128, "phase of the start");
    check(position("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1").phase() == 0, "phase of an endgame");
}

void test_pack() {
    std::uint8_t packed[PACKED_SIZE];
    Position p;
    // 1,000 corrupted boards: never accepted as a position that packs to other bytes.
    std::uint64_t state = 1;
    for (int round = 0; round < 1000; ++round) {
        pack(START, packed);
        for (int i = 0; i < 3; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            packed[state >> 59] = static_cast<std::uint8_t>(state >> 40);
        }
        if (!unpack(packed, p).empty()) continue;
        std::uint8_t again[PACKED_SIZE];
        pack(p, again);
        check(std::memcmp(packed, again, PACKED_SIZE) == 0, "corrupted board " + write_fen(p));
    }
}

void test_pgn() {
    ParsedPgn out;
    const std::string game = "[Event \"a\"]\n\n1. e4 {[%eval 0.2]} e5 (1... c5 (1... e6)) 1-0\n\n";
    parse_pgn(game + game + "[Event \"b\"]\n\n1. e4 e4 *\n", 0, 1, 0, out);
    check(out.found == 3 && out.games.line.size() == 2 && out.rejects.line.size() == 1,
          "two games and a reject");
    check(out.games.split_hash[0] == out.games.split_hash[1], "a repeated game has its hash");
    check(out.games.has_evals[0] && !out.games.has_clocks[0], "evaluations are seen");
    check(out.rejects.reason[0] == static_cast<int>(Reject::ILLEGAL_MOVE), "illegal move");
    check(out.rejects.line[0] == 9 && out.rejects.legal_plies[0] == 1, "place of the reject");
    parse_pgn(std::string(1000000, '('), 0, 1, 0, out);
    check(out.found == 0, "brackets alone are no game");
    parse_pgn("1. e4 " + std::string(1000000, '('), 0, 1, 0, out);
    check(out.found == 1 && out.rejects.line.size() == 1, "deep nesting is a reject");
    check(safe_cut(game + game).offset == game.size(), "safe cut");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string subject = argc > 1 ? argv[1] : "";
    if (subject == "attacks") test_attacks();
    else if (subject == "perft") test_perft();
    else if (subject == "chess960") test_chess960();
    else if (subject == "keys") test_keys();
    else if (subject == "pack") test_pack();
    else if (subject == "pgn") test_pgn();
    else return std::puts("usage: chess_tests attacks|perft|chess960|keys|pack|pgn"), 2;
    return failures ? 1 : 0;
}
