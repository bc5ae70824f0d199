// The thin-plate spline r^2 ln r of the distances between rows and centres.
#pragma once

#include <cstdint>
#include <memory>

namespace tabia::learning {

// Centres laid out for vector instructions: one lane a centre.
//
// Squared distances are sums of squared differences over the inputs in their order, never
// |x|^2 + |c|^2 - 2 x.c, which cancels near a centre. A pair's value therefore depends on that
// pair alone: a row by itself and the same row among others give the same bits, and so do all
// CPUs with fused multiply-add.
template <class Real>
class Centres {
public:
    Centres(const float* centres, std::int64_t count, std::int64_t inputs);

    std::int64_t count() const { return count_; }
    std::int64_t inputs() const { return inputs_; }

    // out [n, count] = r^2 ln r for rows [n, inputs].
    void basis(const float* rows, std::int64_t n, Real* out) const;

    // out [n] = sum over centres of weight * r^2 ln r, summed in double precision in a fixed order.
    // weights has padded() values, zero beyond count().
    void sums(const float* rows, std::int64_t n, const double* weights, double* out) const;

    std::int64_t padded() const { return blocks_ * LANES; }

private:
    static constexpr std::int64_t LANES = 64 / sizeof(Real);
    struct Free {
        void operator()(Real* p) const;
    };

    std::int64_t count_, inputs_, blocks_;
    std::unique_ptr<Real[], Free> lanes_;  // [blocks, inputs, LANES]
};

extern template class Centres<float>;
extern template class Centres<double>;

}  // namespace tabia::learning
