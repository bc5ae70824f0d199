// splitmix64 (Steele, Lea & Flood 2014): the same numbers on every machine from a seed.
#pragma once

#include <cstdint>

namespace tabia::go {

struct Random {
    std::uint64_t state;

    std::uint64_t next() {
        std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // A number from 0 to n - 1; the bias, n / 2^32, is below a ten-millionth here.
    int below(int n) {
        return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32);
    }
};

}  // namespace tabia::go
