// Inner header of the evaluation terms: the board as one side sees it, and what it attacks there.
//
// Every term is written once, for a side that plays up the board. For Black the board is turned
// upside down (a byte swap of each bitboard) and the colours are exchanged; files stay.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "chess/bitboard.hpp"
#include "chess/position.hpp"
#include "chess/terms.hpp"

namespace tabia::chess::terms {

inline int count(Bitboard b) { return std::popcount(b); }

// The ranks in the opposite order. Compilers know this pattern as one instruction.
constexpr Bitboard flipped(Bitboard b) {
    b = ((b >> 8) & 0x00FF00FF00FF00FFULL) | ((b & 0x00FF00FF00FF00FFULL) << 8);
    b = ((b >> 16) & 0x0000FFFF0000FFFFULL) | ((b & 0x0000FFFF0000FFFFULL) << 16);
    return (b >> 32) | (b << 32);
}

constexpr Bitboard FILE_H = FILE_A << 7;
constexpr Bitboard CENTRE_FILES = (FILE_A << 2) | (FILE_A << 3) | (FILE_A << 4) | (FILE_A << 5);
constexpr Bitboard DARK_SQUARES = 0xAA55AA55AA55AA55ULL;  // a1 and its colour
constexpr Bitboard MAIN_DIAGONAL = 0x8040201008040201ULL;  // a1 .. h8
constexpr Bitboard ANTI_DIAGONAL = 0x0102040810204080ULL;  // a8 .. h1

constexpr Bitboard west(Bitboard b) { return (b & ~FILE_A) >> 1; }
constexpr Bitboard east(Bitboard b) { return (b & ~FILE_H) << 1; }
constexpr Bitboard beside(Bitboard b) { return west(b) | east(b); }
constexpr Bitboard up(Bitboard b) { return b << 8; }
constexpr Bitboard down(Bitboard b) { return b >> 8; }

// The squares of `b` and all above (below) them on their files.
constexpr Bitboard fill_up(Bitboard b) {
    b |= b << 8;
    b |= b << 16;
    return b | b << 32;
}
constexpr Bitboard fill_down(Bitboard b) {
    b |= b >> 8;
    b |= b >> 16;
    return b | b >> 32;
}
// Strictly above or below.
constexpr Bitboard above(Bitboard b) { return fill_up(up(b)); }
constexpr Bitboard below(Bitboard b) { return fill_down(down(b)); }

constexpr int distance(int a, int b) {
    const int files = file_of(a) - file_of(b), ranks = rank_of(a) - rank_of(b);
    return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

// Direction of the line through two squares, as the guide numbers them; its comment has 2 and 4
// the other way round than its code.
enum Line : int { NO_LINE = 0, RANK_LINE = 1, MAIN_LINE = 2, FILE_LINE = 3, ANTI_LINE = 4 };
constexpr Line line_of(int a, int b) {
    if (rank_of(a) == rank_of(b)) return RANK_LINE;
    if (file_of(a) == file_of(b)) return FILE_LINE;
    return (rank_of(a) > rank_of(b)) == (file_of(a) > file_of(b)) ? MAIN_LINE : ANTI_LINE;
}

// The pieces, seen from the side that moves up.
struct View {
    Bitboard ours[7];    // by PieceType; [0] all
    Bitboard theirs[7];
    Bitboard occupied;
    int king, their_king;
    bool can_castle;                // we, on any side
    bool they_castle_king_side;     // the right, whether or not it can be used now
    bool they_castle_queen_side;
};

// Squares that a side attacks, in the frame of some view. Bishops see through all queens, rooks
// through all queens and their own rooks; pinned knights attack nothing, other pinned pieces only
// along the pin; pawns and kings ignore pins.
struct Attacks {
    Bitboard pawn, pawn_twice;  // by any pawn, by two
    Bitboard knight, bishop, rook, queen, queen_diagonal, king;
    Bitboard all, twice;  // by any piece, by two or more
    Bitboard pinned;      // own pieces that shield their king from a slider
    Bitboard shields;     // pieces of either colour that do so
};

// A knight, bishop, rook or queen of ours and what it attacks.
struct Piece {
    int type;
    int square;
    Bitboard attacks;
};

struct Pieces {
    Piece list[16];
    int size = 0;
    const Piece* begin() const { return list; }
    const Piece* end() const { return list + size; }
};

// One side of a position with everything that the terms of several groups need.
struct Side {
    View v;
    Attacks attacks;     // ours
    Attacks against;     // theirs, in our frame
    Pieces pieces;
    Bitboard mobility_area;
    std::int32_t* term;  // [N_TERMS], outpost_total in halves
};

}  // namespace tabia::chess::terms
