// SPDX-License-Identifier: Apache-2.0
// Every way to sample from the host's side, with every kind of event, on random loops: the fast
// path gives the same bytes as the stepping path, and no sample of an event is lost on either.
#include "hw/interface/types.h"
#include "tests/differential/process.h"
#include "tests/differential/random.h"
#include "tests/paths/outputs.h"
#include "tests/paths/random_loops.h"

#include <gtest/gtest.h>
#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <fstream>
#include <string_view>

namespace pes::paths {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeeds = 8;

/// The methods that the fast path can take; the last ones sample what is decoded.
constexpr std::string_view kMethods[] = {"exact", "threshold",  "lcofi",          "tag-at-dispatch",
                                         "ideal", "timer",      "last-committed", "next-committed",
                                         "pdis",  "pdis-oldest"};
constexpr std::size_t kDecoding = 8;
constexpr std::string_view kEvents[] = {
    "cycle",          "instret",         "load",        "l1d-miss",          "store",
    "branch",         "l1i-miss",        "integer",     "branch-mispredict", "exception",
    "floating-point", "scoreboard-full", "fetch-empty", "l1d-access",        "pipeline-stall"};
constexpr std::size_t kShownByRecords =
    7; ///< the first ones, by methods that sample what is decoded

fs::path build(const LoopRequest& request, const fs::path& folder) {
    fs::create_directories(folder);
    const fs::path source = folder / "loops.S", elf = folder / "loops.elf";
    std::ofstream(source) << random_loops(request);
    const differential::ProcessResult result = differential::run_process(
        {PES_RISCV_CXX, "-march=rv64gc", "-mabi=lp64d", "-nostdlib", "-nostartfiles", "-T",
         PES_LINKER_SCRIPT, source.string(), "-o", elf.string()},
        std::chrono::seconds(60), differential::ErrorStream::WithOutput);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return elf;
}

/// What a sampled run is asked for besides, by chance.
Invocation random_profile(differential::Random& random, const fs::path& elf, unsigned harts) {
    const char* const periods[] = {"31", "97", "211", "499", "997", "2003"};
    const char* const latencies[] = {"1", "10", "40"};
    const char* const often[] = {"1", "16", "1000"};
    Invocation run{.program = elf,
                   .options = {"--top", "40", "--by", "address", "--max-cycles", "200000", "--set",
                               fmt::format("harts={}", harts), "--set",
                               fmt::format("timing.memory_latency={}", random.pick(latencies)),
                               "--set", fmt::format("hart.jit_after={}", random.pick(often))},
                   .files = {},
                   .memory = {},
                   .profiled = true};
    if (!random.one_in(4)) {
        run.options.insert(run.options.end(), {"--period", random.pick(periods)});
    }
    if (random.one_in(3)) {
        run.options.insert(run.options.end(), {"--spread", "30", "--seed", "5"});
    }
    for (const char* file : {"--truth", "--crossings", "--report"}) {
        if (random.one_in(3)) {
            run.files.emplace_back(file);
        }
    }
    return run;
}

/// Samples that the table of a profile names as lost.
std::uint64_t lost(const std::string& table) {
    constexpr std::string_view kBefore = " samples, ";
    const std::size_t at = table.find(kBefore);
    return at == std::string::npos ? kNever : std::stoull(table.substr(at + kBefore.size()));
}

class SamplingPaths : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SamplingPaths, AgreeAndLoseNothing) {
    const std::uint64_t seed = GetParam();
    const unsigned harts = seed % 4 == 3 ? 2 : 1;
    const fs::path folder = fs::path(PES_WORK) / fmt::format("sampling{}", seed);
    const fs::path elf = build({.seed = seed, .harts = harts}, folder);
    differential::Random random(seed ^ 0x7361'6d70);
    for (std::size_t method = 0; method != std::size(kMethods); ++method) {
        const std::size_t events = method < kDecoding ? std::size(kEvents) : kShownByRecords;
        for (std::size_t event = random.below(3); event < events; event += 3) {
            Invocation run = random_profile(random, elf, harts);
            run.options.insert(run.options.end(), {"--method", std::string(kMethods[method]),
                                                   "--event", std::string(kEvents[event])});
            const Outputs stepped = execute(PES_VP_PATH, run, {"--path", "step"}, folder / "run");
            const Outputs fast = execute(PES_VP_PATH, run, {"--path", "fast"}, folder / "run");
            const std::string what =
                fmt::format("{} {}", elf.string(), fmt::join(run.options, " "));
            EXPECT_EQ(difference(stepped, fast), std::nullopt) << what;
            if (method < kDecoding) { // a sampler of what is decoded takes one at a time
                const bool last = kMethods[method] == "last-committed"; // at first nothing has been
                EXPECT_LE(lost(fast.at("messages")), last ? harts : 0) << what;
            }
        }
    }
    if (!HasFailure()) {
        fs::remove_all(folder);
    }
}

INSTANTIATE_TEST_SUITE_P(Loops, SamplingPaths, testing::Range<std::uint64_t>(0, kSeeds));

} // namespace
} // namespace pes::paths
