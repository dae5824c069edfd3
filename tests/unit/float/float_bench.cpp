// SPDX-License-Identifier: Apache-2.0
// Nanoseconds an operation: the soft path, and the host path with NX already accrued (the steady
// state of numeric code) and with NX clear before every operation, so that each has to find out
// whether it is exact.
#include "hw/core/arch/float/float.h"

#include <benchmark/benchmark.h>

#include <array>
#include <string>

namespace pes::fp {
namespace {

enum class Path : std::uint8_t { Soft, HostNxSet, HostNxClear };

/// A ring of ordinary operands, integers below 2^10: sums and products of them are exact.
template <FloatBits Bits>
std::array<Bits, 64> small_integers() {
    std::array<Bits, 64> values{};
    Flags flags = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = from_integer<Bits>(static_cast<std::int32_t>(1 + i * 37 % 1021),
                                       Rounding::NearestEven, flags);
    }
    return values;
}

template <FloatBits Bits, Path Which, class Operation>
void run(benchmark::State& state, const Operation& operation) {
    const auto values = small_integers<Bits>();
    constexpr Flags kBefore = Which == Path::HostNxSet ? kInexact : Flags{0};
    // The mode comes from the guest at run time; keep the compiler from knowing it.
    auto rounding = Rounding::NearestEven;
    benchmark::DoNotOptimize(rounding);
    std::size_t i = 0;
    for (auto _ : state) {
        Flags flags = kBefore;
        benchmark::DoNotOptimize(flags);
        const Bits result =
            operation(values[i % 64], values[(i + 1) % 64], values[(i + 2) % 64], rounding, flags);
        benchmark::DoNotOptimize(result);
        benchmark::DoNotOptimize(flags);
        ++i;
    }
}

template <FloatBits Bits, Path Which>
void bench_add(benchmark::State& state) {
    run<Bits, Which>(state, [](Bits a, Bits b, Bits, Rounding rounding, Flags& flags) {
        return Which == Path::Soft ? soft::add(a, b, rounding, flags) : add(a, b, rounding, flags);
    });
}

template <FloatBits Bits, Path Which>
void bench_mul(benchmark::State& state) {
    run<Bits, Which>(state, [](Bits a, Bits b, Bits, Rounding rounding, Flags& flags) {
        return Which == Path::Soft ? soft::mul(a, b, rounding, flags) : mul(a, b, rounding, flags);
    });
}

template <FloatBits Bits, Path Which>
void bench_fma(benchmark::State& state) {
    run<Bits, Which>(state, [](Bits a, Bits b, Bits c, Rounding rounding, Flags& flags) {
        return Which == Path::Soft ? soft::fma(a, b, c, rounding, flags)
                                   : fma(a, b, c, rounding, flags);
    });
}

template <FloatBits Bits, Path Which>
void bench_div(benchmark::State& state) {
    run<Bits, Which>(state, [](Bits a, Bits b, Bits, Rounding rounding, Flags& flags) {
        return Which == Path::Soft ? soft::div(a, b, rounding, flags) : div(a, b, rounding, flags);
    });
}

template <FloatBits Bits, Path Which>
void bench_sqrt(benchmark::State& state) {
    run<Bits, Which>(state, [](Bits a, Bits, Bits, Rounding rounding, Flags& flags) {
        return Which == Path::Soft ? soft::sqrt(a, rounding, flags) : sqrt(a, rounding, flags);
    });
}

template <FloatBits Bits, Path Which>
void register_format(const char* suffix) {
    const auto name = [suffix](const char* operation) {
        return std::string(operation) + (sizeof(Bits) == 4 ? ".s " : ".d ") + suffix;
    };
    benchmark::RegisterBenchmark(name("add").c_str(), bench_add<Bits, Which>);
    benchmark::RegisterBenchmark(name("mul").c_str(), bench_mul<Bits, Which>);
    benchmark::RegisterBenchmark(name("fma").c_str(), bench_fma<Bits, Which>);
    benchmark::RegisterBenchmark(name("div").c_str(), bench_div<Bits, Which>);
    benchmark::RegisterBenchmark(name("sqrt").c_str(), bench_sqrt<Bits, Which>);
}

template <FloatBits Bits>
void register_all() {
    register_format<Bits, Path::Soft>("soft");
    register_format<Bits, Path::HostNxSet>("host, NX set");
    register_format<Bits, Path::HostNxClear>("host, NX clear");
}

} // namespace
} // namespace pes::fp

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    pes::fp::register_all<std::uint32_t>();
    pes::fp::register_all<std::uint64_t>();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
