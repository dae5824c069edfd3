// SPDX-License-Identifier: Apache-2.0
// Where and when thresholds sample, against the RTL of v5.3.0. It has no thresholds, but its
// retirement log says in which cycle the n-th event of a kind happens and which instruction it is.
// The sample capture must show that cycle and that instruction (docs/pes.md, "Sample capture").
#include "hw/hpm/sample_wave.h"
#include "hw/hpm/tlm_bank.h"
#include "hw/interface/maps/csr.h"
#include "tests/fidelity/kernel_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace pes::fidelity {
namespace {

struct Sample {
    Cycle cycle = 0; ///< mcycle when the counter shows the event
    Address pc = 0;
    bool operator==(const Sample&) const = default;
};

/// What the sample capture shows in the end.
class Capture final : public WaveSink {
  public:
    bool wants(std::string_view group) const override { return group == SampleWave::kGroup; }
    SignalId declare(std::string_view, std::string_view, std::string_view name, unsigned,
                     std::uint64_t) override {
        signals_.emplace_back(name);
        return static_cast<SignalId>(signals_.size() - 1);
    }
    void change(SignalId signal, Cycle, std::uint64_t value) override {
        const std::string& name = signals_.at(static_cast<std::size_t>(signal));
        if (name == "sample_cycle_q") {
            sample_.cycle = value;
        } else if (name == "sample_pc_q") {
            sample_.pc = value;
        }
    }
    Cycle window_from() const override { return 0; }
    Cycle window_to() const override { return kNever; }

    const Sample& sample() const { return sample_; }

  private:
    std::vector<std::string> signals_;
    Sample sample_;
};

/// A row of the reference: the n-th cycle in which an instruction with this event retires, in the
/// last repetition of a program. mcycle and all counters begin with 0 there (kernels/crt.S).
struct Row {
    std::string program;
    unsigned event = 0;
    std::uint64_t n = 0;
    Sample rtl;
};

std::vector<Row> reference() {
    std::ifstream file(PES_SAMPLING_REFERENCE);
    std::vector<Row> rows;
    std::string line;
    for (std::getline(file, line); std::getline(file, line);) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        Row row;
        fields >> row.program >> row.event >> row.n >> row.rtl.cycle >> std::hex >> row.rtl.pc;
        rows.push_back(row);
    }
    return rows;
}

std::string path_of(const std::string& program) {
    const bool random = program.starts_with("r_");
    return std::string(random ? PES_RTL_PROGRAMS : PES_KERNELS) + '/' + program + ".elf";
}

/// With `row.n` as the threshold of the counter of `row.event`.
Sample sample(const Row& row) {
    const PlatformConfig config = kernel_config(kSettingsOfV5_3_0);
    Capture capture;
    auto bank = std::make_unique<TlmCounterBank>(config.counters);
    bank->attach_wave(capture, "hart0.hpm");
    const unsigned place = row.event - 1; // kernels/measure.c
    bank->write(static_cast<std::uint16_t>(csr::kMhpmthreshold3 + place), row.n);
    KernelMachine(config, std::move(bank)).run(path_of(row.program));
    return capture.sample();
}

TEST(Sampling, CapturesTheCycleAndTheInstructionOfTheRtl) {
    const std::vector<Row> rows = reference();
    EXPECT_GT(rows.size(), 400U);
    for (const Row& row : rows) {
        const Sample ours = sample(row);
        EXPECT_EQ(ours.cycle, row.rtl.cycle)
            << row.program << ", event " << row.event << ", threshold " << row.n;
        EXPECT_EQ(ours.pc, row.rtl.pc)
            << row.program << ", event " << row.event << ", threshold " << row.n;
    }
}

} // namespace
} // namespace pes::fidelity
