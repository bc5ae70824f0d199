#include "chess/terms_attacks.hpp"

namespace tabia::chess::terms {
namespace {

struct Shields {
    Bitboard all = 0;
    Bitboard pinned = 0;  // ours among them
    int direction = 0;    // sum of line numbers, those of enemy pieces taken negative
};

// Pieces, of either colour, that stand alone between our king and a slider of theirs.
Shields find_shields(const View& v) {
    Shields found;
    const Bitboard diagonal = v.theirs[BISHOP] | v.theirs[QUEEN];
    const Bitboard straight = v.theirs[ROOK] | v.theirs[QUEEN];
    Bitboard sliders =
        (bishop_attacks(v.king, 0) & diagonal) | (rook_attacks(v.king, 0) & straight);
    while (sliders) {
        const Bitboard between = TABLES.between[v.king][pop_lowest(sliders)] & v.occupied;
        if (!between || more_than_one(between)) continue;
        const int line = line_of(v.king, lowest(between));
        found.all |= between;
        if (between & v.ours[0]) {
            found.pinned |= between;
            found.direction += line;
        } else {
            found.direction -= line;
        }
    }
    return found;
}

}  // namespace

void find_attacks(Side& s) {
    const View& v = s.v;
    Attacks a = {};
    const Shields shields = find_shields(v);
    a.shields = shields.all;
    a.pinned = shields.pinned;

    const Bitboard from_west = up(east(v.ours[PAWN])), from_east = up(west(v.ours[PAWN]));
    a.pawn = from_west | from_east;
    a.pawn_twice = from_west & from_east;
    a.king = TABLES.king[v.king];
    a.all = a.pawn | a.king;
    a.twice = a.pawn_twice | (a.pawn & a.king);

    const Bitboard queens = v.ours[QUEEN] | v.theirs[QUEEN];
    const Bitboard bishop_blockers = v.occupied & ~queens;
    const Bitboard rook_blockers = v.occupied & ~queens & ~v.ours[ROOK];
    int total[KING + 1] = {};  // attacks by type
    int queen_diagonal = 0;
    int size = 0;
    const auto add = [&](int type, int square, Bitboard attacks) {
        a.twice |= a.all & attacks;
        a.all |= attacks;
        total[type] += count(attacks);
        s.pieces.list[size++] = {type, square, attacks};
    };
    const auto free = [&](int square) {
        return a.pinned & bit(square) ? TABLES.line[v.king][square] : ~Bitboard{0};
    };
    for (Bitboard b = v.ours[KNIGHT]; b;) {
        const int square = pop_lowest(b);
        const Bitboard attacks = a.pinned & bit(square) ? 0 : TABLES.knight[square];
        a.knight |= attacks;
        add(KNIGHT, square, attacks);
    }
    for (Bitboard b = v.ours[BISHOP]; b;) {
        const int square = pop_lowest(b);
        const Bitboard attacks = bishop_attacks(square, bishop_blockers) & free(square);
        a.bishop |= attacks;
        add(BISHOP, square, attacks);
    }
    for (Bitboard b = v.ours[ROOK]; b;) {
        const int square = pop_lowest(b);
        const Bitboard attacks = rook_attacks(square, rook_blockers) & free(square);
        a.rook |= attacks;
        add(ROOK, square, attacks);
    }
    for (Bitboard b = v.ours[QUEEN]; b;) {
        const int square = pop_lowest(b);
        const Bitboard diagonal = bishop_attacks(square, v.occupied) & free(square);
        const Bitboard attacks = diagonal | (rook_attacks(square, v.occupied) & free(square));
        a.queen_diagonal |= diagonal;
        queen_diagonal += count(diagonal);
        a.queen |= attacks;
        add(QUEEN, square, attacks);
    }
    s.pieces.size = size;
    s.attacks = a;

    std::int32_t* t = s.term;
    t[PINNED] = count(a.pinned);
    t[PINNED_DIRECTION] = shields.direction;
    t[PAWN_ATTACK] = count(from_west) + count(from_east);
    t[KING_ATTACK] = count(a.king);
    t[KNIGHT_ATTACK] = total[KNIGHT];
    t[BISHOP_XRAY_ATTACK] = total[BISHOP];
    t[ROOK_XRAY_ATTACK] = total[ROOK];
    t[QUEEN_ATTACK] = total[QUEEN];
    t[QUEEN_ATTACK_DIAGONAL] = queen_diagonal;
    t[ATTACK] = t[PAWN_ATTACK] + t[KING_ATTACK] + total[KNIGHT] + total[BISHOP] + total[ROOK] +
                total[QUEEN];
}

Attacks flipped(const Attacks& a) {
    return {flipped(a.pawn), flipped(a.pawn_twice),     flipped(a.knight), flipped(a.bishop),
            flipped(a.rook), flipped(a.queen),          flipped(a.queen_diagonal),
            flipped(a.king), flipped(a.all),            flipped(a.twice),  flipped(a.pinned),
            flipped(a.shields)};
}

}  // namespace tabia::chess::terms
