// Logarithm, exponential and random numbers that are the same on every machine.
//
// Only operations whose rounding IEEE 754 fixes are used (+ - * / sqrt, scaling by powers of two),
// so that a search with a seed gives the same visits whatever the C library; the library's own log
// and exp differ between versions in the last digit. Build without contraction (-ffp-contract=off).
#pragma once

#include <cmath>
#include <cstdint>

namespace tabia::mcts {

// Natural logarithm of a positive, finite number, to about one unit in the last place.
inline double log_of(double x) {
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        --exponent;
    }
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 1.0 / 23;
    for (int odd = 21; odd >= 3; odd -= 2) sum = sum * z + 1.0 / odd;
    // ln 2 in two parts: the first has so few bits that its product with the exponent is exact.
    constexpr double HIGH = 6.93147180369123816490e-01, LOW = 1.90821492927058770002e-10;
    return exponent * HIGH + (2 * s + (2 * s * z * sum + exponent * LOW));
}

// e to the power of x; 0 below about -745, infinite above about 709.
inline double exp_of(double x) {
    if (x < -746) return 0;
    if (x > 710) return HUGE_VAL;
    constexpr double HIGH = 6.93147180369123816490e-01, LOW = 1.90821492927058770002e-10;
    const double k = std::floor(x * 1.44269504088896340736 + 0.5);
    const double r = (x - k * HIGH) - k * LOW;
    double sum = 1;
    for (int n = 14; n >= 1; --n) sum = 1 + r * sum / n;
    return std::ldexp(sum, static_cast<int>(k));
}

// splitmix64 (Steele, Lea & Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // A stream of its own for the `index`-th use of a seed.
    static Random stream(std::uint64_t seed, std::uint64_t index) {
        return Random(mix(seed + 0x9E3779B97F4A7C15ULL * (index + 1)));
    }

    std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15ULL); }
    // 0 <= result < n; the bias is below n / 2^32.
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((next() >> 32) * n >> 32);
    }
    // 0 < result < 1: the middle of one of 2^52 equal parts.
    double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }

    double gumbel() { return -log_of(-log_of(uniform())); }

    // Standard normal by Marsaglia's polar method; the second number of a pair is not kept.
    double normal() {
        for (;;) {
            const double u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
            if (s < 1 && s > 0) return u * std::sqrt(-2 * log_of(s) / s);
        }
    }

    // Logarithm of a gamma variate of shape `alpha` and scale 1 (Marsaglia & Tsang 2000). With
    // small shapes the variate itself is often too small for a double, its logarithm is not.
    double log_gamma_variate(double alpha) {
        if (alpha < 1) {
            const double boosted = log_gamma_variate(alpha + 1);
            return boosted + log_of(uniform()) / alpha;
        }
        const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
        for (;;) {
            const double x = normal(), t = 1 + c * x;
            if (t <= 0) continue;
            const double v = t * t * t;
            if (log_of(uniform()) < 0.5 * x * x + d - d * v + d * log_of(v)) return log_of(d * v);
        }
    }

  private:
    std::uint64_t state_;
};

}  // namespace tabia::mcts
