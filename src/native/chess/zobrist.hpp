// Zobrist keys: 64-bit identifiers of a position without its counters.
//
// The keys are written to tables and compared between runs and machines, so the constants are
// part of the file format: splitmix64 from a fixed seed, drawn in the order of the fields below.
// A golden test pins some keys; a change here is a change of every table.
#pragma once

#include <cstdint>

namespace tabia::chess {

// splitmix64's output function (Steele, Lea & Flood 2014): a bijection that mixes well.
constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

struct Zobrist {
    std::uint64_t piece[13][64];  // [piece code 1..12][square]; row 0 is all zero
    std::uint64_t castling[64];   // a rook on this square may still castle
    std::uint64_t en_passant[8];  // file of a pawn that can legally be taken en passant
    std::uint64_t black_to_move;

    constexpr Zobrist() : piece{}, castling{}, en_passant{}, black_to_move{} {
        std::uint64_t state = 0x74616269612D3031ULL;  // "tabia-01"
        const auto draw = [&state] { return mix64(state += 0x9E3779B97F4A7C15ULL); };
        for (int code = 1; code <= 12; ++code)
            for (int square = 0; square < 64; ++square) piece[code][square] = draw();
        for (auto& value : castling) value = draw();
        for (auto& value : en_passant) value = draw();
        black_to_move = draw();
    }
};

inline constexpr Zobrist ZOBRIST;

}  // namespace tabia::chess
