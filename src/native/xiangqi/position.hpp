// A xiangqi position: what is on the board, whose move it is, and how long nothing was captured.
//
// Moves are played in place and can be taken back with what `play` returned; positions are small
// (272 bytes), so copying them is as good. Board, pieces and side to move are all there is:
// repetition is the business of whoever keeps the game's history.
#pragma once

#include <cstdint>

#include "xiangqi/bitboard.hpp"
#include "xiangqi/move.hpp"

namespace tabia::xiangqi {

// Piece codes: 0 empty, 1..7 red KABNRCP, 8..14 black KABNRCP (FEN's letters).
constexpr int piece_code(int color, int type) { return type + 7 * color; }
constexpr int type_of(int code) { return code > 7 ? code - 7 : code; }
constexpr int color_of(int code) { return code > 7; }

// What taking a move back needs to know.
struct Undo {
    std::uint32_t halfmove;
    Move move;
    std::uint8_t captured;  // piece code, 0 none
};

struct Position {
    Bitboard by_type[8] = {};  // [0] is every piece
    Bitboard by_color[2] = {};
    std::uint64_t key = 0;  // Zobrist key of pieces and side to move
    std::uint32_t fullmove = 1;
    std::uint32_t halfmove = 0;  // plies since the last capture
    std::uint8_t board[SQUARES] = {};
    std::uint8_t side = RED;

    bool operator==(const Position&) const = default;

    Bitboard occupied() const { return by_type[0]; }
    Bitboard pieces(int color, int type) const { return by_color[color] & by_type[type]; }
    int king(int color) const { return lowest(pieces(color, KING)); }

    // Pieces of `by` that attack a king of the other colour on `square` when the board's pieces
    // stand on `occupied`; a facing king counts. Pieces that `occupied` no longer holds but the
    // position does still count: mask them out.
    Bitboard king_attackers(int square, int by, Bitboard occupied) const {
        const Reach line = lines(square, occupied);
        // Two kings never stand on one rank, so a king on the rook's lines is on the file.
        Bitboard found = (line.reach & (by_type[ROOK] | by_type[KING])) |
                         (line.jump & by_type[CANNON]) |
                         (TABLES.pawn_from[by][square] & by_type[PAWN]);
        for (Bitboard b = TABLES.horse_ring[square] & by_type[HORSE] & by_color[by]; b;) {
            const int horse = pop_lowest(b);
            if (!has(occupied, TABLES.leg[horse][square])) found |= bit(horse);
        }
        return found & by_color[by];
    }
    Bitboard checkers() const { return king_attackers(king(side), side ^ 1, occupied()); }
    bool is_check() const { return checkers() != 0; }

    void put(int square, int code);
    void remove(int square);

    // Plays a legal move. Anything else is undefined.
    Undo play(Move move);
    // Takes back the move that `play` gave this for; moves are taken back last first.
    void undo(const Undo& last);

    // Key computed from nothing; equals `key` at all times.
    std::uint64_t computed_key() const;

    // Left and right exchanged.
    Position mirrored() const;
    // Colours exchanged and the board turned to suit: what the other side would see.
    Position flipped() const;
};

// The standard starting position.
extern const Position START;

}  // namespace tabia::xiangqi
