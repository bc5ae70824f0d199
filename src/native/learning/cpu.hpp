// Which vector instructions this CPU has, asked once; nothing is compiled for the build machine.
#pragma once

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#define TABIA_X86 1
#define TABIA_AVX2 __attribute__((target("avx2,fma")))
#define TABIA_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma")))
#else
#define TABIA_X86 0
#endif
#define TABIA_INLINE __attribute__((always_inline)) inline

namespace tabia::learning {

enum class Cpu { plain, avx2, avx512 };

// The most that is used; tests lower it to run what other CPUs would.
inline Cpu most = Cpu::avx512;

inline Cpu cpu() {
#if TABIA_X86
    static const Cpu found = [] {
        __builtin_cpu_init();
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Cpu::plain;
        const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
        return wide ? Cpu::avx512 : Cpu::avx2;
    }();
    return std::min(found, most);
#else
    return Cpu::plain;
#endif
}

}  // namespace tabia::learning
