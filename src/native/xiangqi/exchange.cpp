#include "xiangqi/exchange.hpp"

#include <algorithm>

namespace tabia::xiangqi {

Bitboard attackers(const Position& p, int square, int by, Bitboard occupied) {
    const Reach line = lines(square, occupied);
    Bitboard found = (line.reach & p.by_type[ROOK]) | (line.jump & p.by_type[CANNON]) |
                     (TABLES.pawn_from[by][square] & p.by_type[PAWN]) |
                     (TABLES.king[square] & p.by_type[KING]);
    for (Bitboard b = TABLES.horse_ring[square] & p.pieces(by, HORSE); b;) {
        const int horse = pop_lowest(b);
        if (!has(occupied, TABLES.leg[horse][square])) found |= bit(horse);
    }
    for (Bitboard b = p.pieces(by, ELEPHANT); b;) {
        const int from = pop_lowest(b);
        if (has(TABLES.elephant[by][from][eye_index(from, occupied)], square)) found |= bit(from);
    }
    for (Bitboard b = p.pieces(by, ADVISOR); b;) {
        const int from = pop_lowest(b);
        if (has(TABLES.advisor[by][from], square)) found |= bit(from);
    }
    return found & p.by_color[by];
}

Exchanges::Exchanges(const Position& p) : p_(p) {
    for (const int color : {RED, BLACK})
        checkers_[color] = p.king_attackers(p.king(color), color ^ 1, p.occupied());
}

// The least valuable piece that may take on `to`, of equal ones that on the lowest square.
int Exchanges::least_taker(int side, int to, Bitboard occupied) const {
    constexpr PieceType ORDER[] = {PAWN, ADVISOR, ELEPHANT, HORSE, CANNON, ROOK, KING};
    const Bitboard takers = attackers(p_, to, side, occupied) & occupied;
    if (!takers) return NO_SQUARE;
    const int king = p_.king(side), them = side ^ 1;
    for (const PieceType type : ORDER) {
        for (Bitboard b = takers & p_.by_type[type]; b;) {
            const int from = pop_lowest(b);
            const Bitboard after = occupied ^ bit(from);
            const Bitboard there = after & ~bit(to);
            const Bitboard against =
                type == KING ? p_.king_attackers(to, them, after) & there
                             : p_.king_attackers(king, them, after) & there & ~checkers_[side];
            if (!against) return from;
        }
    }
    return NO_SQUARE;
}

int Exchanges::value(int side, Move move) const {
    const int from = from_of(move), to = to_of(move);
    const int taken = p_.board[to];
    Bitboard occupied = (p_.occupied() ^ bit(from)) | bit(to);
    int gains[33];  // every piece of the board once
    gains[0] = taken ? half_points(side ^ 1, type_of(taken), to) : 0;
    int standing = half_points(side, type_of(p_.board[from]), to);
    int depth = 0;
    for (int us = side ^ 1;; us ^= 1) {
        const int taker = least_taker(us, to, occupied);
        if (taker == NO_SQUARE) break;
        ++depth;
        gains[depth] = standing - gains[depth - 1];
        standing = half_points(us, type_of(p_.board[taker]), to);
        occupied ^= bit(taker);
    }
    for (; depth; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
    return gains[0];
}

}  // namespace tabia::xiangqi
