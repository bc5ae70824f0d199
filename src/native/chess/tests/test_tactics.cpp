// Exchange values and tactical features by hand. Prints each failed claim.
#include <cstdio>
#include <string>

#include "chess/fen.hpp"
#include "chess/tactics.hpp"

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

int square(const char* name) { return (name[1] - '1') * 8 + name[0] - 'a'; }

void exchange_is(const char* fen, const char* from, const char* to, int value) {
    const Position p = position(fen);
    const int found = exchange_value(p, p.side, make_move(square(from), square(to)));
    check(found == value, std::string(fen) + " " + from + to + ": " + std::to_string(found));
}

}  // namespace

int main() {
    exchange_is("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1", "e5", 1);
    exchange_is("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3", "e5", -2);
    exchange_is("3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2", "d5", 1);    // rook behind rook
    exchange_is("3r2k1/8/8/3p4/8/8/3R4/6K1 w - - 0 1", "d2", "d5", -4);
    exchange_is("8/8/2k5/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2", "d5", 1);      // king may not take
    exchange_is("4k3/4n3/8/3p4/8/8/8/R2RR1K1 w - - 0 1", "d1", "d5", 1);    // pinned defender
    exchange_is("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6", 1);        // en passant

    std::int32_t start[TACTICS];
    tactics(START, start);
    for (int side : {0, int{TACTICS_A_SIDE}})
        for (int i = 0; i < TACTICS_A_SIDE; ++i)
            check(start[side + i] == (i == MOVES || i == SAFE_MOVES ? 20 : 0), "start " + std::to_string(side + i));
    check(start[TACTICS - 1] == 0, "no check at the start");
    return failures ? 1 : 0;
}
