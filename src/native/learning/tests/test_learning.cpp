// The same answers by all the vector instructions that this CPU has. Prints each failed claim.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "learning/cpu.hpp"
#include "learning/fuzzy_means.hpp"
#include "learning/thin_plate.hpp"

using namespace tabia::learning;

namespace {

int failures = 0;

void check(bool claim, const std::string& what) {
    if (claim) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

// Numbers on a lattice of 1/16, so that some rows lie exactly on a sphere.
std::vector<float> lattice(std::size_t count) {
    std::vector<float> numbers(count);
    std::uint64_t state = 7;
    for (float& number : numbers) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        number = static_cast<float>(state >> 60) / 16;
    }
    return numbers;
}

std::vector<std::uint8_t> chosen(Cpu cpu, const std::vector<float>& rows, std::int64_t inputs) {
    most = cpu;
    FuzzyMeans means(std::vector<std::int32_t>(inputs, 5).data(), inputs, 100000);
    check(means.add(rows.data(), static_cast<std::int64_t>(rows.size()) / inputs), "room");
    return {means.centres(), means.centres() + means.size() * inputs};
}

template <class Real>
struct Values {
    std::vector<Real> basis;
    std::vector<double> sums;
};

template <class Real>
Values<Real> values(Cpu cpu, const std::vector<float>& rows, const std::vector<float>& places,
                    std::int64_t inputs) {
    most = cpu;
    const auto n = static_cast<std::int64_t>(rows.size()) / inputs;
    const auto m = static_cast<std::int64_t>(places.size()) / inputs;
    const Centres<Real> centres(places.data(), m, inputs);
    std::vector<double> weights(centres.padded(), 0.0);
    for (std::int64_t i = 0; i < m; ++i) weights[i] = std::sin(static_cast<double>(i));
    Values<Real> found{std::vector<Real>(n * m), std::vector<double>(n)};
    centres.basis(rows.data(), n, found.basis.data());
    centres.sums(rows.data(), n, weights.data(), found.sums.data());
    return found;
}

template <class Real>
void test_splines(double relative) {
    constexpr std::int64_t INPUTS = 37;
    const std::vector<float> rows = lattice(75 * INPUTS), places = lattice(53 * INPUTS);
    const auto plain = values<Real>(Cpu::plain, rows, places, INPUTS);
    const auto avx2 = values<Real>(Cpu::avx2, rows, places, INPUTS);
    const auto avx512 = values<Real>(Cpu::avx512, rows, places, INPUTS);
    const std::string name = std::to_string(sizeof(Real)) + " bytes: ";
    most = Cpu::avx512;
    if (cpu() == Cpu::avx512) {
        check(avx2.basis == avx512.basis, name + "splines of AVX2 and AVX-512 are equal");
        check(avx2.sums == avx512.sums, name + "sums of AVX2 and AVX-512 are equal");
    }
    for (std::size_t i = 0; i < plain.basis.size(); ++i) {
        const double a = plain.basis[i], b = avx512.basis[i];
        check(std::abs(a - b) <= relative * (1 + std::abs(a)), name + "plain splines are close");
    }
    check(plain.basis[0] == 0, name + "the spline at a centre is 0");
}

}  // namespace

int main() {
    constexpr std::int64_t INPUTS = 67;
    const std::vector<float> rows = lattice(500 * INPUTS);
    const auto plain = chosen(Cpu::plain, rows, INPUTS);
    check(plain.size() > 20 * INPUTS, "there are centres to choose");
    check(chosen(Cpu::avx2, rows, INPUTS) == plain, "AVX2 chooses the same centres");
    check(chosen(Cpu::avx512, rows, INPUTS) == plain, "AVX-512 chooses the same centres");
    test_splines<float>(1e-6);
    test_splines<double>(1e-15);
    return failures ? 1 : 0;
}
