#include "chess/position.hpp"

#include <algorithm>
#include <bit>

#include "chess/zobrist.hpp"

namespace tabia::chess {

namespace {

Position make_start() {
    constexpr PieceType BACK[8] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    Position p;
    for (int file = 0; file < 8; ++file) {
        p.put(file, piece_code(WHITE, BACK[file]));
        p.put(8 + file, piece_code(WHITE, PAWN));
        p.put(48 + file, piece_code(BLACK, PAWN));
        p.put(56 + file, piece_code(BLACK, BACK[file]));
    }
    p.castling = bit(0) | bit(7) | bit(56) | bit(63);
    p.key = p.computed_key();
    return p;
}

}  // namespace

const Position START = make_start();

void Position::put(int square, int code) {
    const Bitboard b = bit(square);
    by_type[0] |= b;
    by_type[type_of(code)] |= b;
    by_color[color_of(code)] |= b;
    board[square] = static_cast<std::uint8_t>(code);
    key ^= ZOBRIST.piece[code][square];
}

void Position::remove(int square) {
    const int code = board[square];
    const Bitboard b = ~bit(square);
    by_type[0] &= b;
    by_type[type_of(code)] &= b;
    by_color[color_of(code)] &= b;
    board[square] = 0;
    key ^= ZOBRIST.piece[code][square];
}

void Position::play(Move move) {
    const int from = from_of(move), to = to_of(move);
    const int us = side;
    const int code = board[from];
    const int type = type_of(code);

    if (ep != NO_SQUARE) key ^= ZOBRIST.en_passant[file_of(ep)];
    const int old_ep = ep;
    ep = NO_SQUARE;
    ++halfmove;
    fullmove += static_cast<std::uint32_t>(us);

    Bitboard lost_rights = castling & (bit(from) | bit(to));
    if (type == KING) lost_rights |= castling & (us == WHITE ? RANK_1 : RANK_8);
    castling ^= lost_rights;
    while (lost_rights) key ^= ZOBRIST.castling[pop_lowest(lost_rights)];

    int ep_target = NO_SQUARE;
    if (type == KING && (by_color[us] & bit(to))) {
        const int rook = board[to];
        remove(from);
        remove(to);
        put(castled_king(from, to), code);
        put(castled_rook(from, to), rook);
    } else {
        if (board[to]) {
            remove(to);
            halfmove = 0;
        }
        remove(from);
        if (type == PAWN) {
            halfmove = 0;
            if (to == old_ep) remove(to ^ 8);  // the pawn beside us: rank 5 under 6, 4 over 3
            if ((from ^ to) == 16) ep_target = (from + to) / 2;
            const int promotion = promotion_of(move);
            put(to, promotion ? piece_code(us, promotion) : code);
        } else {
            put(to, code);
        }
    }
    side = static_cast<std::uint8_t>(us ^ 1);
    key ^= ZOBRIST.black_to_move;
    if (ep_target != NO_SQUARE) set_en_passant(ep_target);
}

void Position::set_en_passant(int target) {
    if (ep != NO_SQUARE) {
        key ^= ZOBRIST.en_passant[file_of(ep)];
        ep = NO_SQUARE;
    }
    if (target == NO_SQUARE) return;
    const int us = side, them = us ^ 1;
    const int victim = target ^ 8;
    Bitboard takers = TABLES.pawn[them][target] & pieces(us, PAWN);
    while (takers) {
        const int from = pop_lowest(takers);
        // Both pawns leave their rank at once, so only looking at the result finds every
        // discovered check (e.g. K, two pawns and a rook on one rank).
        const Bitboard after = (occupied() ^ bit(from) ^ bit(victim)) | bit(target);
        if (attackers(king(us), them, after) & ~bit(victim)) continue;
        ep = static_cast<std::uint8_t>(target);
        key ^= ZOBRIST.en_passant[file_of(target)];
        return;
    }
}

std::uint64_t Position::computed_key() const {
    std::uint64_t k = side == BLACK ? ZOBRIST.black_to_move : 0;
    for (int square = 0; square < 64; ++square) k ^= ZOBRIST.piece[board[square]][square];
    for (Bitboard b = castling; b;) k ^= ZOBRIST.castling[pop_lowest(b)];
    if (ep != NO_SQUARE) k ^= ZOBRIST.en_passant[file_of(ep)];
    return k;
}

int Position::phase() const {
    // Values of the guide's version of 2019-06-30, middle game.
    constexpr int KNIGHT_VALUE = 781, BISHOP_VALUE = 825, ROOK_VALUE = 1276, QUEEN_VALUE = 2538;
    constexpr int ENDGAME_LIMIT = 3915, MIDGAME_LIMIT = 15258;
    const int material = KNIGHT_VALUE * std::popcount(by_type[KNIGHT]) +
                         BISHOP_VALUE * std::popcount(by_type[BISHOP]) +
                         ROOK_VALUE * std::popcount(by_type[ROOK]) +
                         QUEEN_VALUE * std::popcount(by_type[QUEEN]);
    const int clamped = std::clamp(material, ENDGAME_LIMIT, MIDGAME_LIMIT);
    return (clamped - ENDGAME_LIMIT) * 128 / (MIDGAME_LIMIT - ENDGAME_LIMIT);
}

bool needs_chess960(const Position& p) {
    if (!p.castling) return false;
    constexpr Bitboard CORNERS = bit(0) | bit(7) | bit(56) | bit(63);
    if (p.castling & ~CORNERS) return true;
    return ((p.castling & RANK_1) && p.king(WHITE) != 4) ||
           ((p.castling & RANK_8) && p.king(BLACK) != 60);
}

Move from_codec(const Position& p, Move code, bool chess960) {
    if (chess960 || promotion_code(code)) return code;
    const int from = from_of(code), to = to_of(code);
    if (!(p.pieces(p.side, KING) & bit(from))) return code;
    if (p.by_color[p.side] & bit(to)) return NO_MOVE;  // king takes rook is no standard code
    const int home = p.side == WHITE ? 4 : 60;
    if (from != home) return code;
    if (to == home + 2) return make_move(from, home + 3);
    if (to == home - 2) return make_move(from, home - 4);
    return code;
}

}  // namespace tabia::chess
