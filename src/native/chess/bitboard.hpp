// Bitboards: squares, set operations and attack tables.
//
// Squares are numbered a1 = 0, b1 = 1 … h8 = 63 (little-endian rank-file mapping), bit i of a
// Bitboard is square i. Sliding attacks use fancy magic bitboards
// (https://www.chessprogramming.org/Magic_Bitboards): one multiplication and one load, with no
// need of BMI2, so a plain -O3 build runs at full speed on any x86-64 or ARM machine.
#pragma once

#include <bit>
#include <cstdint>

namespace tabia::chess {

using Bitboard = std::uint64_t;

enum Color : std::uint8_t { WHITE = 0, BLACK = 1 };
enum PieceType : std::uint8_t { NO_TYPE = 0, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

constexpr int NO_SQUARE = 64;
constexpr Bitboard FILE_A = 0x0101010101010101ULL;
constexpr Bitboard RANK_1 = 0xFFULL;
constexpr Bitboard RANK_8 = 0xFFULL << 56;

constexpr Bitboard bit(int square) { return 1ULL << square; }
constexpr int file_of(int square) { return square & 7; }
constexpr int rank_of(int square) { return square >> 3; }
constexpr Bitboard file_mask(int file) { return FILE_A << file; }
constexpr Bitboard rank_mask(int rank) { return RANK_1 << (8 * rank); }
constexpr int lowest(Bitboard b) { return std::countr_zero(b); }
constexpr int highest(Bitboard b) { return 63 - std::countl_zero(b); }
constexpr bool more_than_one(Bitboard b) { return (b & (b - 1)) != 0; }

// Removes the lowest square of a non-empty set and returns it.
inline int pop_lowest(Bitboard& b) {
    const int square = std::countr_zero(b);
    b &= b - 1;
    return square;
}

struct Magic {
    Bitboard mask;            // relevant blockers: the rays without the board's edge
    Bitboard factor;
    const Bitboard* attacks;  // 2^(64 - shift) entries
    int shift;
};

// Filled once when the library is loaded (about 1 ms), read-only afterwards.
struct AttackTables {
    Magic bishop[64];
    Magic rook[64];
    Bitboard knight[64];
    Bitboard king[64];
    Bitboard pawn[2][64];      // [colour of the pawn][its square]
    Bitboard between[64][64];  // squares strictly between, empty when not on one line
    Bitboard line[64][64];     // the whole line through both, empty when not on one line
    AttackTables();
};
extern const AttackTables TABLES;

inline Bitboard slide(const Magic& m, Bitboard occupied) {
    return m.attacks[((occupied & m.mask) * m.factor) >> m.shift];
}
inline Bitboard bishop_attacks(int square, Bitboard occupied) {
    return slide(TABLES.bishop[square], occupied);
}
inline Bitboard rook_attacks(int square, Bitboard occupied) {
    return slide(TABLES.rook[square], occupied);
}
inline Bitboard queen_attacks(int square, Bitboard occupied) {
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}

// Attacks of a knight, bishop, rook, queen or king; pawns have TABLES.pawn.
inline Bitboard piece_attacks(int type, int square, Bitboard occupied) {
    switch (type) {
        case KNIGHT: return TABLES.knight[square];
        case BISHOP: return bishop_attacks(square, occupied);
        case ROOK: return rook_attacks(square, occupied);
        case QUEEN: return queen_attacks(square, occupied);
        case KING: return TABLES.king[square];
        default: return 0;
    }
}

}  // namespace tabia::chess
