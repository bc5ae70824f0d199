// Centres of radial basis functions by the fuzzy means algorithm.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tabia::learning {

// Chooses fuzzy subspaces in one pass over rows that may arrive in parts.
//
// Input i is cut into sets[i] fuzzy sets with centres 0, 1, .., sets[i] - 1 in units of their
// spacing; one set means a constant input, which counts for nothing. In these units the relative
// distance d of a row u to a centre j has d^2 = sum (u_i - j_i)^2 / N, N the inputs that count.
//
// Every sum is taken in double precision over the inputs in their order, without fused
// operations, so that a decision never depends on the CPU or on how rows are cut into parts.
class FuzzyMeans {
public:
    FuzzyMeans(const std::int32_t* sets, std::int64_t inputs, std::int64_t limit);

    // Takes n rows [n, inputs], normalised to 0 .. 1. False, and nothing more is taken, as soon as
    // more than limit centres are needed.
    bool add(const float* rows, std::int64_t n);

    std::int64_t size() const { return size_; }
    // [size, inputs] number of each centre's fuzzy set, from 0.
    const std::uint8_t* centres() const { return centres_.data(); }

private:
    struct Free {
        void operator()(double* p) const;
    };

    void append(const double* u);

    std::int64_t inputs_, limit_;
    double counting_ = 0;         // N
    std::vector<double> steps_;   // sets - 1
    std::vector<std::uint8_t> centres_;
    // [blocks, inputs, 8] the same in blocks of 8 centres; lanes not used yet are far away.
    std::unique_ptr<double[], Free> blocks_;
    std::int64_t room_ = 0;  // blocks there is memory for
    std::int64_t size_ = 0;
    std::int64_t last_ = 0;  // block that held the latest hit: rows of one game resemble each other
};

}  // namespace tabia::learning
