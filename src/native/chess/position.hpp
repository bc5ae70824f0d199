// A chess position: what is on the board, whose move it is, and what may still be done.
//
// Positions are small (200 bytes) and copied rather than unmade. `ep` is set only when an
// en-passant capture is legal, and `castling` only holds squares of rooks that have the right, so
// two positions are the same exactly when these fields agree.
#pragma once

#include <cstdint>

#include "chess/bitboard.hpp"
#include "chess/move.hpp"

namespace tabia::chess {

// Piece codes: 0 empty, 1..6 white PNBRQK, 7..12 black PNBRQK.
constexpr int piece_code(int color, int type) { return type + 6 * color; }
constexpr int type_of(int code) { return code > 6 ? code - 6 : code; }
constexpr int color_of(int code) { return code > 6; }

struct Position {
    Bitboard by_type[7] = {};  // [0] is every piece
    Bitboard by_color[2] = {};
    Bitboard castling = 0;  // squares of the rooks that may still castle
    std::uint64_t key = 0;  // Zobrist key of everything but the counters
    std::uint32_t fullmove = 1;
    std::uint32_t halfmove = 0;  // plies since the last capture or pawn move
    std::uint8_t board[64] = {};
    std::uint8_t side = WHITE;
    std::uint8_t ep = NO_SQUARE;  // target square of a legal en-passant capture

    Bitboard occupied() const { return by_type[0]; }
    Bitboard pieces(int color, int type) const { return by_color[color] & by_type[type]; }
    int king(int color) const { return lowest(pieces(color, KING)); }

    // Pieces of `by` that attack `square` when the board's pieces stand on `occupied`. Pieces
    // that `occupied` no longer holds but the position does still count: mask them out.
    Bitboard attackers(int square, int by, Bitboard occupied) const {
        return by_color[by] &
               ((TABLES.pawn[by ^ 1][square] & by_type[PAWN]) |
                (TABLES.knight[square] & by_type[KNIGHT]) |
                (TABLES.king[square] & by_type[KING]) |
                (bishop_attacks(square, occupied) & (by_type[BISHOP] | by_type[QUEEN])) |
                (rook_attacks(square, occupied) & (by_type[ROOK] | by_type[QUEEN])));
    }
    Bitboard checkers() const { return attackers(king(side), side ^ 1, occupied()); }
    bool is_check() const { return checkers() != 0; }

    void put(int square, int code);
    void remove(int square);

    // Plays a legal move (castling as king takes own rook). Anything else is undefined.
    void play(Move move);

    // Sets `ep` to `target` when a pawn of the side to move can legally take there, else to none,
    // and keeps the key in step. The pawn that would be taken must stand behind `target`.
    void set_en_passant(int target);

    // Key computed from nothing; equals `key` at all times.
    std::uint64_t computed_key() const;

    // Game phase, 0 (endgame) .. 128 (opening), from both sides' non-pawn material; values and
    // formula of the engine's 2019 evaluation guide.
    int phase() const;
};

// The standard starting position.
extern const Position START;

// True when the move is one of the side to move's castlings, as king takes own rook.
inline bool is_castling(const Position& p, Move move) {
    return (p.pieces(p.side, KING) & bit(from_of(move))) && (p.by_color[p.side] & bit(to_of(move)));
}

// True when some castling right needs Chess960 rules: king off the e-file or rook off a and h.
bool needs_chess960(const Position& p);

// Where the king lands when it castles with the rook on `rook`.
constexpr int castled_king(int king, int rook) { return (king & 56) + (rook > king ? 6 : 2); }
constexpr int castled_rook(int king, int rook) { return (king & 56) + (rook > king ? 5 : 3); }

// The codec's form of an inner move: castling becomes king-from to king-to unless `chess960`.
inline Move to_codec(const Position& p, Move move, bool chess960) {
    if (chess960 || !is_castling(p, move)) return move;
    return make_move(from_of(move), castled_king(from_of(move), to_of(move)));
}

// The inner form of a codec move. A code that is no move comes back as it is: see `is_legal`.
Move from_codec(const Position& p, Move code, bool chess960);

}  // namespace tabia::chess
