#include "chess/terms_pawns.hpp"

namespace tabia::chess::terms {
namespace {

constexpr int CONNECTED_SEED[8] = {0, 0, 7, 8, 12, 29, 48, 86};  // by rank 1..7

void space_terms(Side& s, const Side& other) {
    const View& v = s.v;
    constexpr Bitboard AREA = CENTRE_FILES & (RANK_1 << 8 | RANK_1 << 16 | RANK_1 << 24);
    const Bitboard pawns = v.ours[PAWN];
    const Bitboard safe = AREA & ~pawns & ~s.against.pawn;
    const Bitboard behind = safe & (down(pawns) | down(down(pawns)) | down(down(down(pawns))));

    std::int32_t* t = s.term;
    t[SPACE_AREA] = count(safe) + count(behind);
    t[ATTACKS_ON_SPACE] = count(behind & s.against.all);
    t[SPACE] = 0;
    if (t[NON_PAWN_MATERIAL] + other.term[NON_PAWN_MATERIAL] >= 12222) {
        const int weight = count(v.ours[0]) - 1;
        t[SPACE] = t[SPACE_AREA] * weight * weight / 16 - 4 * t[ATTACKS_ON_SPACE];
    }
}

}  // namespace

void pawn_terms(Side& s, const Side& other) {
    const View& v = s.v;
    const Bitboard ours = v.ours[PAWN], theirs = v.theirs[PAWN];

    const Bitboard neighbours = beside(ours);
    const Bitboard opposed = ours & below(theirs);
    const Bitboard phalanx = ours & neighbours;
    const Bitboard supported = ours & s.attacks.pawn;
    const Bitboard supported_twice = ours & s.attacks.pawn_twice;
    const Bitboard connected = phalanx | supported;
    const Bitboard isolated = ours & ~fill_up(fill_down(neighbours));
    // A neighbour on the same rank or behind means not backward; stopped is who meets an enemy
    // pawn, or the attack of one, on the square in front.
    const Bitboard stopped = down(theirs | s.against.pawn);
    const Bitboard backward = ours & ~fill_up(neighbours) & ~isolated & stopped;
    const Bitboard doubled = ours & up(ours) & ~supported;
    const Bitboard double_attacked = theirs & s.attacks.pawn_twice & ~s.against.pawn;

    int bonus = 0, bonus_eg = 0;
    for (Bitboard b = connected; b;) {
        const int square = pop_lowest(b);
        const Bitboard pawn = bit(square);
        const int supports = ((supported & pawn) != 0) + ((supported_twice & pawn) != 0);
        const int rank = rank_of(square) + 1;
        const int seed = CONNECTED_SEED[rank] * (phalanx & pawn ? 3 : 2);
        const int each = seed / (opposed & pawn ? 2 : 1) + 17 * supports;
        bonus += each;
        bonus_eg += each * (rank - 3) / 4;
    }

    std::int32_t* t = s.term;
    t[ISOLATED] = count(isolated);
    t[OPPOSED] = count(opposed);
    t[PHALANX] = count(phalanx);
    t[SUPPORTED] = count(supported) + count(supported_twice);
    t[BACKWARD] = count(backward);
    t[DOUBLED] = count(doubled);
    t[CONNECTED] = count(connected);
    t[CONNECTED_BONUS] = bonus;
    t[WEAK_UNOPPOSED_PAWN] = count((isolated | backward) & ~opposed);
    t[DOUBLE_ATTACKED_PAWN] = count(double_attacked);
    t[PAWNS_MG] = bonus - 5 * t[ISOLATED] - 9 * t[BACKWARD] - 11 * t[DOUBLED] -
                  13 * t[WEAK_UNOPPOSED_PAWN];
    t[PAWNS_EG] = bonus_eg - 15 * t[ISOLATED] - 24 * t[BACKWARD] - 56 * t[DOUBLED] -
                  27 * t[WEAK_UNOPPOSED_PAWN] + 20 * t[DOUBLE_ATTACKED_PAWN];
    space_terms(s, other);
}

}  // namespace tabia::chess::terms
