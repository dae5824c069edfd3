// SPDX-License-Identifier: Apache-2.0
// Records until the buffer is full, and beyond: whatever the size of the buffer, the shape of the
// records and the way from the harts to the sink, the trace decodes without a flaw and holds as
// many whole records as the program counts.
#include "hw/interface/maps/trace.h"
#include "tests/e2e/trace/console_lines.h"
#include "tests/unit/common/run_command.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

namespace pes::test {
namespace {

/// As in tests/guest/trace/stopping.cpp.
struct Parameters {
    std::uint64_t magic = 0x676E'6970'706F'7473; // "stopping"
    std::uint64_t funnels = 0;
    std::uint64_t buffer = 0; ///< 0: the SRAM
    std::uint64_t counters = 0;
    std::uint64_t type = 0;
    std::uint64_t kind = 0;
    std::uint64_t records = 0;
};

struct Case {
    unsigned harts = 1;
    unsigned sram = 256;
    Parameters program;

    std::string text() const {
        return std::to_string(harts) + " harts, " + std::to_string(program.funnels) +
               " funnels, buffer " + std::to_string(program.buffer) + ", SRAM " +
               std::to_string(sram) + ", " + std::to_string(program.counters) + " counters, type " +
               std::to_string(program.type) + ", kind " + std::to_string(program.kind) + ", " +
               std::to_string(program.records) + " records";
    }
};

std::string elf_with(const Parameters& parameters, unsigned harts) {
    std::string bytes =
        read_file(PES_FIRMWARE_DIR "/trace_stopping_" + std::to_string(harts) + ".elf");
    const std::string_view magic(reinterpret_cast<const char*>(&parameters.magic),
                                 sizeof parameters.magic);
    const std::size_t place = bytes.find(magic);
    EXPECT_NE(place, std::string::npos);
    std::memcpy(bytes.data() + place, &parameters, sizeof parameters);
    return bytes;
}

std::uint64_t number_before(const std::string& text, const std::string& words) {
    const std::size_t end = text.find(words);
    if (end == std::string::npos) {
        ADD_FAILURE() << "no '" << words << "' in: " << text;
        return 0;
    }
    const std::size_t begin = text.rfind(' ', end - 1) + 1;
    return std::stoull(text.substr(begin, end - begin));
}

struct Outcome {
    std::uint64_t counted = 0; ///< by the program: begun and not lost
    std::uint64_t lost = 0;
    std::uint64_t decoded = 0;
};

Outcome run(const Case& what) {
    const TemporaryDirectory directory;
    directory.write("program.elf", elf_with(what.program, what.harts));
    const std::string here = "cd " + directory.path().string() + " && ";
    const CommandResult simulated = run_command(
        here + PES_VP " run program.elf --console console --guest-files . --set harts=" +
        std::to_string(what.harts) +
        " --set trace.funnel.count=" + std::to_string(what.program.funnels) +
        " --set trace.sram_bytes=" + std::to_string(what.sram));
    EXPECT_EQ(simulated.exit_code, 0) << simulated.err;
    Outcome outcome;
    for (const auto& [word, lines] : read_console_lines(read_file(directory / "console"))) {
        for (const std::vector<std::uint64_t>& line : lines) {
            outcome.counted += line.at(1) - line.at(2);
            outcome.lost += line.at(2);
        }
    }
    const std::uint64_t sinks = what.program.funnels != 0 ? what.program.funnels : what.harts;
    for (std::uint64_t sink = 0; sink < sinks; ++sink) {
        const CommandResult decoded =
            run_command(here + PES_DECODE " trace trace_" + std::to_string(sink) +
                        ".rtd --strict --csv records.csv");
        EXPECT_EQ(decoded.exit_code, 0) << decoded.out << decoded.err;
        outcome.decoded += number_before(decoded.out, " record");
    }
    return outcome;
}

class Stopping : public testing::Test {
  protected:
    /// True if the buffer was full.
    static bool check(const Case& what) {
        const Outcome outcome = run(what);
        EXPECT_EQ(outcome.decoded, outcome.counted) << what.text();
        return outcome.lost != 0;
    }

    static Case random_case(std::mt19937& random) {
        const auto below = [&random](unsigned limit) { return random() % limit; };
        Case what;
        what.harts = 1 + below(2);
        what.program.funnels = what.harts - 1 + below(2); // several harts always have one
        what.sram = 256U << below(5);
        what.program.buffer = below(3) == 0 ? 0 : 16 + below(3000);
        what.program.counters = below(10);
        what.program.type = below(3);
        what.program.kind = below(3);
        what.program.records = what.program.kind == 1 ? 4 + below(12) : 2 + below(120);
        return what;
    }

    static void check_random(unsigned seed, unsigned cases) {
        std::mt19937 random(seed);
        unsigned full = 0;
        for (unsigned i = 0; i < cases; ++i) {
            full += check(random_case(random)) ? 1 : 0;
        }
        EXPECT_GT(full, cases / 4) << "buffers that were full";
        EXPECT_LT(full, cases) << "and some that were not";
    }
};

/// Sizes around which a message of the cycle of the stop was written over the start of the trace.
TEST_F(Stopping, EverySizeBehindAFunnelKeepsTheStartOfTheTrace) {
    for (const std::uint64_t buffer : {200, 256, 328, 392, 456, 520, 584, 648}) {
        EXPECT_TRUE(
            check({.program = {.funnels = 1, .buffer = buffer, .counters = 3, .records = 90}}));
    }
}

TEST_F(Stopping, RandomBuffersHoldTheRecordsThatTheProgramCounts) {
    check_random(20, 24);
}

TEST_F(Stopping, DISABLED_ManyRandomBuffersHoldTheRecordsThatTheProgramCounts) {
    check_random(21, 250);
}

} // namespace
} // namespace pes::test
