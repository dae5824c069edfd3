// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/growth.h"

#include <fmt/format.h>

namespace pes::bench {
namespace {

/// Trace costs the same of each instruction, so the beginning of a program is enough.
constexpr std::uint64_t kTracedCycles = 20'000'000;

/// Settings of a whole series, so that its rows differ in one thing.
const std::vector<std::string> kAllCounters{"--set", "counters.programmable=29"};
const std::vector<std::string> kLargeMemory{"--set", "dram.size=1GiB"};

std::string plural(unsigned number, const char* thing) {
    return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

/// "64 KiB", "4 MiB".
std::string size(unsigned kibibytes) {
    return kibibytes < 1024 ? fmt::format("{} KiB", kibibytes)
                            : fmt::format("{} MiB", kibibytes / 1024);
}

GrowthSeries counters() {
    GrowthSeries series{"counters", Neighbour::Before, {}};
    for (const unsigned number : {0, 1, 2, 4, 6, 12, 29}) {
        series.variants.push_back(
            {plural(number, "counter"), fmt::format("growth_counters_{}", number), kAllCounters});
    }
    return series;
}

GrowthSeries sampling() {
    GrowthSeries series{"sampling", Neighbour::Before, {{"no samples", "growth_sampling_0"}}};
    for (const unsigned period : {1'000'000, 100'000, 10'000, 1000, 100}) {
        series.variants.push_back(
            {fmt::format("every {} loads", period), fmt::format("growth_sampling_{}", period)});
    }
    return series;
}

GrowthSeries observers(const ScratchDirectory& scratch) {
    const char* const program = "growth_sampling_0";
    GrowthSeries series{"observers", Neighbour::First, {{"nothing", program}}};
    series.variants.push_back({.name = "--truth",
                               .program = program,
                               .options = {"--truth", scratch.file("truth.csv")},
                               .speed_bar = kTruthBar});
    series.variants.push_back(
        {"--crossings", program, {"--crossings", scratch.file("crossings.csv")}});
    series.variants.push_back({.name = "pes-vp profile",
                               .program = program,
                               .options = {"--period", "10007"},
                               .command = "profile"});
    return series;
}

/// The first cycles only: the start of a program costs more than the rest of it, in each row.
GrowthSeries traces(const ScratchDirectory& scratch) {
    const char* const program = "growth_sampling_0";
    GrowthSeries series{"trace", Neighbour::First, {}};
    series.variants.push_back({.name = "nothing", .program = program, .cycles = kTracedCycles});
    for (const char* kind : {"none", "events", "btm", "htm-plain", "htm"}) {
        series.variants.push_back(
            {.name = fmt::format("--trace-program {}", kind),
             .program = program,
             .options = {"--trace", scratch.file("trace.rtd"), "--trace-program", kind},
             .cycles = kTracedCycles});
    }
    return series;
}

GrowthSeries harts() {
    GrowthSeries series{"harts", Neighbour::Before, {}};
    for (const unsigned number : {1, 2, 4, 8}) {
        series.variants.push_back({plural(number, "hart"),
                                   fmt::format("growth_harts_{}", number),
                                   {"--set", fmt::format("harts={}", number)}});
    }
    return series;
}

GrowthSeries memory(const char* name, const std::vector<unsigned>& sizes) {
    GrowthSeries series{name, Neighbour::Before, {}};
    for (const unsigned kibibytes : sizes) {
        series.variants.push_back(
            {size(kibibytes), fmt::format("growth_{}_{}", name, kibibytes), kLargeMemory});
    }
    return series;
}

GrowthSeries code() {
    GrowthSeries series{"code", Neighbour::Before, {}};
    for (const unsigned kibibytes : {8, 64, 512, 4096, 32768}) {
        series.variants.push_back({size(kibibytes), fmt::format("growth_code_{}", kibibytes)});
    }
    return series;
}

GrowthSeries translation() {
    return {"translation",
            Neighbour::Before,
            {{"M-mode", "growth_sampling_0"}, {"S-mode, Sv39", "growth_os_supervisor"}}};
}

/// S-mode with traps of one kind.
GrowthSeries traps(const char* name, const char* of_one) {
    GrowthSeries series{name, Neighbour::Before, {{"none", "growth_os_supervisor"}}};
    for (const unsigned distance : {10'000, 1000}) {
        series.variants.push_back({fmt::format("{} every {} instructions", of_one, distance),
                                   fmt::format("growth_os_{}_{}", name, distance)});
    }
    return series;
}

} // namespace

std::vector<GrowthSeries> growth_series(const ScratchDirectory& scratch) {
    return {counters(),
            sampling(),
            observers(scratch),
            traces(scratch),
            harts(),
            memory("memory", {16, 256, 4096, 65536, 262144}),
            memory("pages", {16, 256, 4096, 65536}),
            code(),
            translation(),
            traps("timer", "interrupt"),
            traps("calls", "ecall")};
}

} // namespace pes::bench
