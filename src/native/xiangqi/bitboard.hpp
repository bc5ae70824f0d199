// Bitboards of 90 squares: set operations and tables of how pieces move.
//
// Squares are numbered a0 = 0, b0 = 1 … i0 = 8, a1 = 9 … i9 = 89: files a..i from Red's left, ranks
// 0..9 from Red's side. Bit i of a Bitboard is square i. A rook or cannon finds its squares by the
// occupancy of its rank (512 cases) and of its file (1,024 cases), a horse and an elephant by the
// four squares that can block them; everything is plain loads and shifts, with no need of BMI2 or
// of a population count in hardware.
#pragma once

#include <bit>
#include <cstdint>

namespace tabia::xiangqi {

using Bitboard = unsigned __int128;

enum Color : std::uint8_t { RED = 0, BLACK = 1 };
enum PieceType : std::uint8_t { NO_TYPE = 0, KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN };

constexpr int FILES = 9;
constexpr int RANKS = 10;
constexpr int SQUARES = FILES * RANKS;
constexpr int NO_SQUARE = SQUARES;

constexpr int file_of(int square) { return square % FILES; }
constexpr int rank_of(int square) { return square / FILES; }
constexpr int square_at(int file, int rank) { return FILES * rank + file; }
constexpr bool is_on_board(int file, int rank) {
    return file >= 0 && file < FILES && rank >= 0 && rank < RANKS;
}
// The side in whose half a square lies: the river runs between ranks 4 and 5.
constexpr int half_of(int square) { return square >= 45; }

constexpr Bitboard bit(int square) { return Bitboard{1} << square; }
constexpr Bitboard ALL = bit(SQUARES) - 1;
constexpr bool has(Bitboard b, int square) { return (b >> square & 1) != 0; }
constexpr bool more_than_one(Bitboard b) { return (b & (b - 1)) != 0; }

inline int lowest(Bitboard b) {
    const auto low = static_cast<std::uint64_t>(b);
    return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(b >> 64));
}

// Removes the lowest square of a non-empty set and returns it.
inline int pop_lowest(Bitboard& b) {
    const int square = lowest(b);
    b &= b - 1;
    return square;
}

// Both halves are counted in one go: std::popcount is a function call a half on plain x86-64.
constexpr int count(Bitboard b) {
    constexpr std::uint64_t ONES = 0x5555555555555555ULL, TWOS = 0x3333333333333333ULL;
    auto low = static_cast<std::uint64_t>(b), high = static_cast<std::uint64_t>(b >> 64);
    low -= low >> 1 & ONES;
    high -= high >> 1 & ONES;
    low = (low & TWOS) + (low >> 2 & TWOS) + (high & TWOS) + (high >> 2 & TWOS);
    low = (low & 0x0F0F0F0F0F0F0F0FULL) + (low >> 4 & 0x0F0F0F0F0F0F0F0FULL);
    return static_cast<int>(low * 0x0101010101010101ULL >> 56);
}

// Squares on one rank or file, as bits of a rank (9) or file (10, rank 0 first).
struct Line {
    std::uint16_t reach;  // up to the first piece on both sides, that piece included: rook
    std::uint16_t jump;   // the second piece on both sides: what a cannon would capture
};

struct Reach {
    Bitboard reach;
    Bitboard jump;
};

// Filled once when the library is loaded (a few ms), read-only afterwards.
struct MoveTables {
    Line rank[FILES][1 << FILES];  // [file of the piece][occupancy of its rank]
    Line file[RANKS][1 << RANKS];  // [rank of the piece][occupancy of its file]
    std::uint64_t spread[32];      // 5 bits, to every ninth bit
    // Elephants and advisors are limited in where they may go, not in where they may come from.
    Bitboard horse[SQUARES][16];        // [square][which legs are blocked, see leg_index]
    Bitboard elephant[2][SQUARES][16];  // [colour][square][which eyes are blocked]
    Bitboard advisor[2][SQUARES];       // [colour][square]
    Bitboard king[SQUARES];
    Bitboard pawn[2][SQUARES];       // [colour][square]
    Bitboard pawn_from[2][SQUARES];  // squares from which a pawn of that colour moves here
    Bitboard horse_ring[SQUARES];    // squares a horse may come from if no leg is blocked
    Bitboard cross[SQUARES];         // the rank and the file of a square
    Bitboard between[SQUARES][SQUARES];  // strictly between, empty when not on one line
    std::uint8_t leg[SQUARES][SQUARES];  // blocks the horse on [from] on its way to [to]
    MoveTables();
};
extern const MoveTables TABLES;

// The ten squares of a file as bits, rank 0 lowest. Five bits a half, nine apart, are gathered by a
// multiplication in which no two partial products meet.
inline unsigned file_occupancy(Bitboard occupied, int file) {
    constexpr std::uint64_t NINTHS = 0x1008040201ULL, GATHER = 0x1010101010ULL;
    const auto low = static_cast<std::uint64_t>(occupied >> file) & NINTHS;
    const auto high = static_cast<std::uint64_t>(occupied >> (45 + file)) & NINTHS;
    return static_cast<unsigned>(low * GATHER >> 36 & 31) |
           static_cast<unsigned>(high * GATHER >> 36 & 31) << 5;
}

inline Bitboard file_squares(unsigned bits, int file) {
    return (Bitboard{TABLES.spread[bits >> 5]} << 45 | TABLES.spread[bits & 31]) << file;
}

// What a rook on the square reaches, and what a cannon there would capture (of both colours).
inline Reach lines(int square, Bitboard occupied) {
    const int file = file_of(square), rank = rank_of(square);
    const int shift = FILES * rank;
    const Line across = TABLES.rank[file][static_cast<unsigned>(occupied >> shift) & 511];
    const Line along = TABLES.file[rank][file_occupancy(occupied, file)];
    return {Bitboard{across.reach} << shift | file_squares(along.reach, file),
            Bitboard{across.jump} << shift | file_squares(along.jump, file)};
}

// Which of the squares below, left, right and above are occupied; beside the board anything.
inline unsigned leg_index(int square, Bitboard occupied) {
    const auto window = static_cast<std::uint64_t>((occupied << 9) >> square);
    return static_cast<unsigned>((window & 1) | (window >> 7 & 2) | (window >> 8 & 4) |
                                 (window >> 15 & 8));
}

// Which of the four diagonal neighbours are occupied: left below, right below, left above, right
// above.
inline unsigned eye_index(int square, Bitboard occupied) {
    const auto window = static_cast<std::uint64_t>((occupied << 10) >> square);
    return static_cast<unsigned>((window & 1) | (window >> 1 & 2) | (window >> 16 & 4) |
                                 (window >> 17 & 8));
}

// Squares a piece may move to, own pieces not yet excluded. A cannon's captures are the second
// pieces on its lines, its other moves end on empty squares.
inline Bitboard piece_moves(int color, int type, int square, Bitboard occupied) {
    switch (type) {
        case KING: return TABLES.king[square];
        case ADVISOR: return TABLES.advisor[color][square];
        case ELEPHANT: return TABLES.elephant[color][square][eye_index(square, occupied)];
        case HORSE: return TABLES.horse[square][leg_index(square, occupied)];
        case ROOK: return lines(square, occupied).reach;
        case CANNON: {
            const Reach line = lines(square, occupied);
            return (line.reach & ~occupied) | line.jump;
        }
        case PAWN: return TABLES.pawn[color][square];
        default: return 0;
    }
}

}  // namespace tabia::xiangqi
