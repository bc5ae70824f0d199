// Tests of xiangqi notation that need no Python. Prints each failed claim.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "xiangqi/fen.hpp"
#include "xiangqi/notation.hpp"

using namespace tabia::xiangqi;

namespace {

int failures = 0;

void check(bool claim, const std::string& what) {
    if (claim) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

Position position(const std::string& fen) {
    Position p;
    const std::string fault = parse_fen(fen, p);
    if (!fault.empty()) {
        std::printf("%s: %s\n", fen.c_str(), fault.c_str());
        std::exit(2);
    }
    return p;
}

// Code points of UTF-8 of up to three bytes.
std::vector<char32_t> code_points(const std::string& text) {
    std::vector<char32_t> points;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i++]);
        const int more = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : 2;
        char32_t point = more == 0 ? byte : more == 1 ? byte & 31 : byte & 15;
        for (int k = 0; k < more; ++k) point = point << 6 | (text[i++] & 63);
        points.push_back(point);
    }
    return points;
}

Resolved read(const Position& p, const std::string& text, int first_rank = 0) {
    const std::vector<char32_t> points = code_points(text);
    return resolve(p, read_token(points.data(), static_cast<int>(points.size())), first_rank);
}

void names(const Position& p, const char* text, const char* squares) {
    const Resolved found = read(p, text);
    check(found.fault == Fault::NONE && found.move == read_move(squares, 0),
          std::string(text) + " is " + squares);
}

void fails(const Position& p, const char* text, Fault fault) {
    check(read(p, text).fault == fault, std::string(text) + " has another fault");
}

// splitmix64, as in test_xiangqi.cpp.
struct Random {
    std::uint64_t state;
    int below(int n) {
        std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(n));
    }
};

void test_start() {
    for (const char* text : {"C2=5", "C2.5", "c2:5", "C25", "炮二平五", "砲２平５", "包2平5", "Ｃ２．５",
                             "h2e2", "H2-E2", "h2-e2", "Che2", "C2=5!?", " C2 = 5 "})
        names(START, text, "h2e2");
    names(START, "H2+3", "h0g2");
    names(START, "N2+3", "h0g2");
    names(START, "B3+5", "g0e2");
    names(START, "仕六進五", "d0e1");
    names(START, "Rxa1", "a0a1");
    check(read(START, "h3e3", 1).move == read_move("h2e2", 0), "ranks from 1");
    for (const char* text : {"", "C", "1-0", "0-1", "*", "1/2-1/2", "C2+", "C0=5", "C2=0", "炮二平",
                             "炮零平五", "Z2=5", "h2e10", "h2h2", "=====", "C2=5C2=5C2=5"})
        fails(START, text, Fault::BAD);
    for (const char* text : {"C2=2", "R1=2", "炮二進六", "馬二平三", "H9+7", "a0a0a", "h2e3", "P2+1"})
        check(read(START, text).fault != Fault::NONE, std::string(text) + " is no move");
    fails(START, "R1=2", Fault::ILLEGAL);
    fails(START, "前炮退一", Fault::ILLEGAL);
    fails(START, "Ce2", Fault::AMBIGUOUS);
}

void test_tandems() {
    const Position rooks = position("3k5/9/9/9/4R4/9/4R4/9/9/4K4 w");
    for (const char* text : {"R+=6", "+R=6", "前車平六", "前车平六", "车前平六"}) names(rooks, text, "e5d5");
    for (const char* text : {"R-=6", "-R.6", "後車平六", "后车平六", "车后平六"}) names(rooks, text, "e3d3");
    fails(rooks, "R5=6", Fault::AMBIGUOUS);
    names(rooks, "R5+4", "e5e9");  // only the front one can go so far

    const Position three = position("3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w");
    for (const char* text : {"P+=4", "前兵平四", "一兵平四", "15=4"}) names(three, text, "e7f7");
    for (const char* text : {"P5=4", "中兵平四", "二兵平四", "25=4", "兵五平四"})
        names(three, text, "e6f6");
    for (const char* text : {"P-=4", "后兵平四", "三兵平四", "35=4"}) names(three, text, "e5f5");

    const Position five = position("3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w");
    for (const char* text : {"++=4", "13=4", "前兵平四", "一兵平四"}) names(five, text, "g9f9");
    for (const char* text : {"P+=4", "23=4", "二兵平四"}) names(five, text, "g8f8");
    for (const char* text : {"P3=4", "33=4", "中兵平四", "三兵平四"}) names(five, text, "g7f7");
    for (const char* text : {"P-=4", "43=4", "四兵平四"}) names(five, text, "g6f6");
    for (const char* text : {"--=4", "53=4", "后兵平四", "五兵平四"}) names(five, text, "g5f5");

    const Position four = position("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w");
    names(four, "P+=4", "g7f7");
    names(four, "P-=4", "g6f6");
    names(four, "--=4", "g5f5");
    names(four, "P++1", "g8g9");  // only the foremost can advance
    fails(four, "P3=4", Fault::AMBIGUOUS);
    fails(four, "中兵平四", Fault::ILLEGAL);

    // Two files: numbered from the right, front to rear.
    const Position two = position("3k5/9/6P2/2P6/2P3P2/9/9/9/9/4K4 w");
    for (const char* text : {"13=4", "3+=4", "前三平四", "一兵平四", "Pa=4", "P3+=4"})
        names(two, text, "g7f7");
    for (const char* text : {"23=4", "3-.4", "后三平四", "二兵平四", "Pb=4"}) names(two, text, "g5f5");
    for (const char* text : {"17=6", "7+=6", "前七平六", "三兵平六", "Pc=6", "P+=6"})
        names(two, text, "c6d6");
    for (const char* text : {"27=6", "四兵平六", "Pd=6"}) names(two, text, "c5d5");
    fails(two, "P++1", Fault::AMBIGUOUS);
    fails(two, "五兵平六", Fault::ILLEGAL);

    const Position black = position("3k5/9/9/2p6/2p6/9/9/9/9/4K4 b");
    for (const char* text : {"P++1", "p++1", "前卒进１", "前卒進1"}) names(black, text, "c5c4");
}

void test_round_trip() {
    // Positions with pieces of every kind on one file, and random play from them.
    const char* fens[] = {
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "3k1a3/2P6/2P2a3/2P1b4/2P6/2P1B4/9/3A5/3R5/2BAKR3 w",
        "4k4/9/3P1P3/3P1P3/5P3/2p1p4/2p1p4/9/2p6/3K5 b",
        "2bak4/4r4/3a5/2n1r4/2b1n4/9/9/2CC5/3A5/3AK4 b",
    };
    Random random{7};
    int texts = 0;
    for (int game = 0; game < 200; ++game) {
        Position p = position(fens[game % 4]);
        for (int ply = 0; ply < 60; ++ply) {
            MoveList moves;
            generate_legal(p, moves);
            if (!moves.size) break;
            for (const Move move : moves) {
                for (int style = 0; style <= static_cast<int>(Style::TRADITIONAL); ++style) {
                    const auto kind = static_cast<Style>(style);
                    const std::string text = write_text(p, move, kind);
                    const Resolved found = read(p, text, kind == Style::UCI);
                    check(found.move == move && found.fault == Fault::NONE,
                          text + " for " + write_move(move, 0) + " in " + write_fen(p));
                    ++texts;
                }
            }
            p.play(moves.moves[random.below(moves.size)]);
        }
    }
    check(texts > 1'000'000, "enough texts: " + std::to_string(texts));
}

void test_any_text() {
    // No text of the alphabet does harm, and what is read is a legal move.
    const std::vector<char32_t> alphabet = code_points("RHCPhe0259+-=.x前后一二五进平兵炮");
    Random random{11};
    int read_ones = 0;
    for (int i = 0; i < 300000; ++i) {
        char32_t text[40];
        const int size = random.below(500) ? 2 + random.below(5) : 40;
        for (int k = 0; k < size; ++k)
            text[k] = alphabet[random.below(static_cast<int>(alphabet.size()))];
        const Resolved found = resolve(START, read_token(text, size), 0);
        check((found.fault == Fault::NONE) == is_legal(START, found.move) ||
                  found.fault == Fault::AMBIGUOUS,
              "what is read is legal");
        read_ones += found.fault == Fault::NONE;
    }
    check(read_ones > 100, "some are moves: " + std::to_string(read_ones));
}

}  // namespace

int main() {
    test_start();
    test_tandems();
    test_round_trip();
    test_any_text();
    return failures ? 1 : 0;
}
