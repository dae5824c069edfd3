// SPDX-License-Identifier: Apache-2.0
// Foreign counters that were Verilated with --coverage.
#include "hw/hpm/lockstep_bank.h"
#include "platform/soc/waves/lockstep_window.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/hpm/rtl/stream_bench.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

namespace pes {

std::span<const BuiltModel> rtl_covered_models();

namespace test {
namespace {

using testing::HasSubstr;

const BuiltModel& covered_model() {
    return rtl_covered_models().front();
}

/// The counts of all points in the file.
std::uint64_t total(const std::string& text) {
    std::uint64_t sum = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("C ")) {
            sum += std::stoull(line.substr(line.rfind(' ')));
        }
    }
    return sum;
}

class RtlCoverageFile : public testing::Test {
  protected:
    /// What a process writes that plays a stream so often, each time with a new model.
    std::string written_after(unsigned runs) const {
        const std::string file = directory_ / ("coverage" + std::to_string(runs));
        setenv("PES_RTL_COVERAGE", file.c_str(), 1);
        EXPECT_EXIT(
            {
                const CounterConfig config = StreamBench::config_of(covered_model());
                const Stream stream = random_stream(1, config, 200);
                for (unsigned left = runs; left != 0; --left) {
                    run(stream, config, covered_model().make);
                }
                std::exit(0);
            },
            testing::ExitedWithCode(0), "");
        unsetenv("PES_RTL_COVERAGE");
        return read_file(file);
    }

    TemporaryDirectory directory_;
};

TEST_F(RtlCoverageFile, HasTheSumOfAllModelsOfTheProcess) {
    const std::string once = written_after(1);
    EXPECT_THAT(once, testing::StartsWith("# SystemC::Coverage-3\n"));
    EXPECT_THAT(once, HasSubstr("plain_counters.sv"));
    EXPECT_GT(total(once), 200U);
    EXPECT_EQ(total(written_after(3)), 3 * total(once));
}

TEST_F(RtlCoverageFile, DoesNotKeepLockstepFromWorking) {
    CounterConfig wrong = StreamBench::config_of(covered_model());
    wrong.write_freezes = true; // the block has one strobe a counter
    std::string report;
    LockstepBank bank(wrong, covered_model().make,
                      {.on_difference = [&report](const std::string& text) { report = text; },
                       .keep_window = lockstep_window(directory_ / "window.vcd")});
    bank.write(csr::kMhpmevent3, 5);
    for (unsigned cycle = 0; cycle < 3000; ++cycle) {
        bank.tick({.events = event_bit(Event::Load), .retired = 1}, bank.now() + 1);
    }
    EXPECT_EQ(report, "");
    bank.write(csr::kMhpmcounter3 + 1, 5);
    bank.tick({.events = event_bit(Event::Load), .retired = 1}, bank.now() + 1);
    bank.finish();
    EXPECT_THAT(report, HasSubstr("mhpmcounter3 (CSR 0xB03) is 0xbb7 in the model and 0xbb8 in"));
    EXPECT_THAT(report, HasSubstr("\nno waveform of the RTL before it: this RTL was built with "));
    EXPECT_FALSE(std::filesystem::exists(directory_ / "window.vcd"));
}

} // namespace
} // namespace test
} // namespace pes
