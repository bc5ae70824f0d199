// Zobrist keys: 64-bit identifiers of a position without its counters.
//
// The keys are written to tables and compared between runs and machines, so the constants are
// part of the file format: splitmix64 (Steele, Lea & Flood 2014) from a fixed seed, drawn in the
// order of the fields below. A golden test pins some keys; a change here is a change of every table.
#pragma once

#include <cstdint>

#include "xiangqi/bitboard.hpp"

namespace tabia::xiangqi {

struct Zobrist {
    std::uint64_t piece[15][SQUARES];  // [piece code 1..14][square]; row 0 is all zero
    std::uint64_t black_to_move;

    constexpr Zobrist() : piece{}, black_to_move{} {
        std::uint64_t state = 0x7869616E67716931ULL;  // "xiangqi1"
        const auto draw = [&state] {
            std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
            return z ^ (z >> 31);
        };
        for (int code = 1; code <= 14; ++code)
            for (int square = 0; square < SQUARES; ++square) piece[code][square] = draw();
        black_to_move = draw();
    }
};

inline constexpr Zobrist ZOBRIST;

}  // namespace tabia::xiangqi
