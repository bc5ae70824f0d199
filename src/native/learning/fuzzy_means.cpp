#include "learning/fuzzy_means.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "learning/cpu.hpp"

namespace tabia::learning {
namespace {

constexpr std::int64_t LANES = 8;
constexpr std::int64_t CHUNK = 32;  // inputs summed before looking whether all 8 are too far
constexpr double FAR = 1e6;         // position of an unused lane; there are at most 256 sets
constexpr std::align_val_t ALIGN{64};

typedef double Vector __attribute__((vector_size(64)));

// True if the row u is within distance 1 of one of the block's centres. The sums only grow, so
// stopping early changes no answer.
TABIA_INLINE bool covers_body(const double* block, const double* u, std::int64_t inputs,
                              double counting) {
    const Vector* centres = reinterpret_cast<const Vector*>(block);
    Vector sum{};
    for (std::int64_t start = 0; start < inputs; start += CHUNK) {
        const std::int64_t stop = std::min(inputs, start + CHUNK);
        for (std::int64_t i = start; i < stop; ++i) {
            const Vector apart = centres[i] - u[i];
            sum += apart * apart;
        }
        bool near = false;
        for (std::int64_t lane = 0; lane < LANES; ++lane) near |= sum[lane] <= counting;
        if (!near) return false;
    }
    return true;
}

bool covers_plain(const double* block, const double* u, std::int64_t inputs, double counting) {
    return covers_body(block, u, inputs, counting);
}
#if TABIA_X86
TABIA_AVX2 bool covers_avx2(const double* block, const double* u, std::int64_t inputs,
                            double counting) {
    return covers_body(block, u, inputs, counting);
}
TABIA_AVX512 bool covers_avx512(const double* block, const double* u, std::int64_t inputs,
                                double counting) {
    return covers_body(block, u, inputs, counting);
}
#endif

using Covers = bool (*)(const double*, const double*, std::int64_t, double);

Covers covers_for_this_cpu() {
#if TABIA_X86
    if (cpu() == Cpu::avx512) return covers_avx512;
    if (cpu() == Cpu::avx2) return covers_avx2;
#endif
    return covers_plain;
}

}  // namespace

void FuzzyMeans::Free::operator()(double* p) const { ::operator delete[](p, ALIGN); }

FuzzyMeans::FuzzyMeans(const std::int32_t* sets, std::int64_t inputs, std::int64_t limit)
        : inputs_(inputs), limit_(limit), steps_(inputs) {
    for (std::int64_t i = 0; i < inputs; ++i) {
        steps_[i] = sets[i] - 1;
        counting_ += sets[i] > 1;
    }
}

bool FuzzyMeans::add(const float* rows, std::int64_t n) {
    const Covers covers = covers_for_this_cpu();
    const std::int64_t stride = inputs_ * LANES;
    std::vector<double> u(inputs_);
    for (std::int64_t row = 0; row < n; ++row) {
        for (std::int64_t i = 0; i < inputs_; ++i) {
            u[i] = static_cast<double>(rows[row * inputs_ + i]) * steps_[i];
        }
        const std::int64_t blocks = (size_ + LANES - 1) / LANES;
        bool covered = blocks && covers(&blocks_[last_ * stride], u.data(), inputs_, counting_);
        for (std::int64_t block = 0; block < blocks && !covered; ++block) {
            covered = covers(&blocks_[block * stride], u.data(), inputs_, counting_);
            if (covered) last_ = block;
        }
        if (covered) continue;
        if (size_ >= limit_) return false;
        append(u.data());
    }
    return true;
}

void FuzzyMeans::append(const double* u) {
    const std::int64_t stride = inputs_ * LANES;
    const std::int64_t block = size_ / LANES, lane = size_ % LANES;
    if (block >= room_) {
        const std::int64_t room = std::max<std::int64_t>(8, 2 * room_);
        const std::size_t count = static_cast<std::size_t>(room * stride);
        std::unique_ptr<double[], Free> larger(
                static_cast<double*>(::operator new[](count * sizeof(double), ALIGN)));
        std::copy_n(blocks_.get(), room_ * stride, larger.get());
        std::fill_n(larger.get() + room_ * stride, (room - room_) * stride, FAR);
        blocks_ = std::move(larger);
        room_ = room;
    }
    for (std::int64_t i = 0; i < inputs_; ++i) {
        // The nearest set; half-way between two, the lower.
        const double nearest = std::max(0.0, std::ceil(u[i] - 0.5));
        centres_.push_back(static_cast<std::uint8_t>(nearest));
        blocks_[block * stride + i * LANES + lane] = nearest;
    }
    ++size_;
}

}  // namespace tabia::learning
