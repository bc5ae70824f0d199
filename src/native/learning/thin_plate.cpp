#include "learning/thin_plate.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "learning/cpu.hpp"

namespace tabia::learning {
namespace {

constexpr std::align_val_t ALIGN{64};
constexpr std::int64_t BLOCK_BYTES = 64;
constexpr std::int64_t GROUP = 4;  // blocks of centres are padded to a multiple of this

// The vector of Width bytes and the constants of a number's layout.
template <class Real, int Width>
struct Types;
template <int Width>
struct Types<float, Width> {
    typedef float Vector __attribute__((vector_size(Width)));
    typedef std::int32_t Bits __attribute__((vector_size(Width)));
    static constexpr int mantissa = 23;
    static constexpr std::int32_t root_half = 0x3f3504f3;  // bits of sqrt(1/2)
    static constexpr int terms = 5;
};
template <int Width>
struct Types<double, Width> {
    typedef double Vector __attribute__((vector_size(Width)));
    typedef std::int64_t Bits __attribute__((vector_size(Width)));
    static constexpr int mantissa = 52;
    static constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
    static constexpr int terms = 12;
};

// s becomes s ln(s) / 2, which is r^2 ln r of s = r^2; 0 stays 0.
//
// s = m 2^e with m in [sqrt(1/2), sqrt(2)), ln m = 2 artanh t, t = (m - 1) / (m + 1), |t| < 0.172;
// the series 2 t (1 + t^2/3 + t^4/5 + ..) is cut where the next term is below rounding. For s = 0
// the bits give the finite ln = -127 ln 2 (-1023 ln 2), and 0 times that is 0.
template <class Real, int Width>
TABIA_INLINE void spline(typename Types<Real, Width>::Vector& s) {
    using Of = Types<Real, Width>;
    using Vector = typename Of::Vector;
    using Bits = typename Of::Bits;
    const Bits bits = reinterpret_cast<Bits>(s);
    const Bits exponent = (bits - Of::root_half) >> Of::mantissa;
    const Bits rest = bits - (exponent << Of::mantissa);
    const Vector m = reinterpret_cast<Vector>(rest);
    const Vector t = (m - Real(1)) / (m + Real(1));
    const Vector tt = t * t;
    Vector series = tt * Real(0) + Real(1.0 / (2 * Of::terms - 1));
    for (int k = Of::terms - 2; k >= 0; --k) series = series * tt + Real(1.0 / (2 * k + 1));
    const Vector e = __builtin_convertvector(exponent, Vector);
    s = s * (e * Real(0.34657359027997265471) + t * series);  // ln(2) / 2
}

// The spline of the distances of Rows rows to Blocks blocks of centres, out [Rows, Blocks, lanes].
// turned is [inputs, Rows].
template <class Real, int Width, int Rows, int Blocks>
TABIA_INLINE void tile(const Real* lanes, const Real* turned, std::int64_t inputs, Real* out) {
    using Vector = typename Types<Real, Width>::Vector;
    constexpr int parts = BLOCK_BYTES / Width;
    const Vector* centres = reinterpret_cast<const Vector*>(lanes);
    Vector* results = reinterpret_cast<Vector*>(out);
    Vector sum[Rows][Blocks * parts] = {};
    for (std::int64_t i = 0; i < inputs; ++i) {
        for (int block = 0; block < Blocks; ++block) {
            for (int part = 0; part < parts; ++part) {
                const Vector centre = centres[(block * inputs + i) * parts + part];
                for (int row = 0; row < Rows; ++row) {
                    const Vector apart = centre - turned[i * Rows + row];
                    sum[row][block * parts + part] += apart * apart;
                }
            }
        }
    }
    for (int row = 0; row < Rows; ++row) {
        for (int v = 0; v < Blocks * parts; ++v) {
            spline<Real, Width>(sum[row][v]);
            results[row * Blocks * parts + v] = sum[row][v];
        }
    }
}

// Everything a call needs; rows go through it tile by tile.
template <class Real>
struct Job {
    const Real* lanes;
    std::int64_t count, inputs, blocks;
    const float* rows;
    std::int64_t n;
    Real* basis;            // [n, count], or null
    const double* weights;  // [blocks * lanes], or null
    double* sums;           // [n]
};

constexpr std::int64_t ROWS_AT_ONCE = 64;  // a group of centres stays in the cache while they pass

template <class Real, int Width, int Rows, int Blocks>
TABIA_INLINE void rows_body(const Job<Real>& job, std::int64_t first, const Real* turned,
                            std::int64_t start, double* partial) {
    constexpr std::int64_t lanes = BLOCK_BYTES / sizeof(Real);
    alignas(BLOCK_BYTES) Real value[Rows * Blocks * lanes];
    for (std::int64_t block = start; block < start + GROUP; block += Blocks) {
        const Real* centres = job.lanes + block * job.inputs * lanes;
        tile<Real, Width, Rows, Blocks>(centres, turned, job.inputs, value);
        for (int row = 0; row < Rows; ++row) {
            for (int b = 0; b < Blocks; ++b) {
                const Real* found = value + (row * Blocks + b) * lanes;
                const std::int64_t centre = (block + b) * lanes;
                if (job.basis) {
                    const std::int64_t left = std::max<std::int64_t>(job.count - centre, 0);
                    Real* out = job.basis + (first + row) * job.count + centre;
                    std::copy_n(found, std::min(left, lanes), out);
                } else {
                    const double* weight = job.weights + centre;
                    double* sum = partial + row * lanes;
                    for (std::int64_t lane = 0; lane < lanes; ++lane) {
                        sum[lane] += static_cast<double>(found[lane]) * weight[lane];
                    }
                }
            }
        }
    }
}

template <class Real, int Width, int Rows, int Blocks>
TABIA_INLINE void job_body(const Job<Real>& job, Real* turned, double* partial) {
    constexpr std::int64_t lanes = BLOCK_BYTES / sizeof(Real);
    const std::int64_t inputs = job.inputs;
    for (std::int64_t from = 0; from < job.n; from += ROWS_AT_ONCE) {
        const std::int64_t some = std::min(job.n - from, ROWS_AT_ONCE);
        const std::int64_t whole = some - some % Rows;  // the rest goes one by one
        const float* rows = job.rows + from * inputs;
        for (std::int64_t row = 0; row < whole; row += Rows) {
            Real* to = turned + row * inputs;
            for (std::int64_t i = 0; i < inputs; ++i) {
                for (int r = 0; r < Rows; ++r) to[i * Rows + r] = rows[(row + r) * inputs + i];
            }
        }
        std::copy_n(rows + whole * inputs, (some - whole) * inputs, turned + whole * inputs);
        std::fill_n(partial, some * lanes, 0.0);
        for (std::int64_t start = 0; start < job.blocks; start += GROUP) {
            for (std::int64_t row = 0; row < whole; row += Rows) {
                rows_body<Real, Width, Rows, Blocks>(job, from + row, turned + row * inputs, start,
                                                     partial + row * lanes);
            }
            for (std::int64_t row = whole; row < some; ++row) {
                rows_body<Real, Width, 1, GROUP>(job, from + row, turned + row * inputs, start,
                                                 partial + row * lanes);
            }
        }
        if (job.sums) {
            for (std::int64_t row = 0; row < some; ++row) {
                const double* own = partial + row * lanes;
                double sum = 0;
                for (std::int64_t lane = 0; lane < lanes; ++lane) sum += own[lane];
                job.sums[from + row] = sum;
            }
        }
    }
}

// Tiles that fill the registers: 32 of 64 bytes, or 16 of 32.
template <class Real>
void run_plain(const Job<Real>& job, Real* turned, double* partial) {
    job_body<Real, 16, 2, 1>(job, turned, partial);
}
#if TABIA_X86
template <class Real>
TABIA_AVX2 void run_avx2(const Job<Real>& job, Real* turned, double* partial) {
    job_body<Real, 32, 4, 1>(job, turned, partial);
}
template <class Real>
TABIA_AVX512 void run_avx512(const Job<Real>& job, Real* turned, double* partial) {
    job_body<Real, 64, 4, 4>(job, turned, partial);
}
#endif

template <class Real>
void run(const Job<Real>& job) {
    std::vector<Real> turned(std::min(job.n, ROWS_AT_ONCE) * job.inputs);
    std::vector<double> partial(std::min(job.n, ROWS_AT_ONCE) * BLOCK_BYTES / sizeof(Real));
#if TABIA_X86
    if (cpu() == Cpu::avx512) return run_avx512(job, turned.data(), partial.data());
    if (cpu() == Cpu::avx2) return run_avx2(job, turned.data(), partial.data());
#endif
    run_plain(job, turned.data(), partial.data());
}

}  // namespace

template <class Real>
void Centres<Real>::Free::operator()(Real* p) const {
    ::operator delete[](p, ALIGN);
}

template <class Real>
Centres<Real>::Centres(const float* centres, std::int64_t count, std::int64_t inputs)
        : count_(count), inputs_(inputs) {
    constexpr std::int64_t group = GROUP * LANES;
    blocks_ = (count + group - 1) / group * GROUP;
    const std::size_t size = static_cast<std::size_t>(blocks_ * LANES * inputs);
    lanes_.reset(static_cast<Real*>(::operator new[](size * sizeof(Real), ALIGN)));
    std::fill_n(lanes_.get(), size, Real(0));
    for (std::int64_t centre = 0; centre < count; ++centre) {
        Real* lane = lanes_.get() + centre / LANES * inputs * LANES + centre % LANES;
        for (std::int64_t i = 0; i < inputs; ++i) lane[i * LANES] = centres[centre * inputs + i];
    }
}

template <class Real>
void Centres<Real>::basis(const float* rows, std::int64_t n, Real* out) const {
    run(Job<Real>{lanes_.get(), count_, inputs_, blocks_, rows, n, out, nullptr, nullptr});
}

template <class Real>
void Centres<Real>::sums(const float* rows, std::int64_t n, const double* weights,
                         double* out) const {
    run(Job<Real>{lanes_.get(), count_, inputs_, blocks_, rows, n, nullptr, weights, out});
}

template class Centres<float>;
template class Centres<double>;

}  // namespace tabia::learning
