// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/trace/commit_wave_reader.h"

#include <array>

namespace pes::test {
namespace {

constexpr unsigned kPorts = 2;
constexpr std::uint64_t kMachineMode = 3;

/// The value of a signal, for cycles that ascend.
class Sampler {
  public:
    Sampler(const VcdFile& wave, const std::string& name) : changes_(wave.signal(name).changes()) {}

    std::uint64_t at(Cycle cycle) {
        while (next_ < changes_.size() && changes_[next_].at <= cycle) {
            value_ = changes_[next_++].value;
        }
        return value_;
    }

  private:
    std::span<const WaveSignal::Change> changes_;
    std::size_t next_ = 0;
    std::uint64_t value_ = 0;
};

struct Port {
    Sampler valid;
    Sampler pc;
};

} // namespace

std::vector<CommitStep> read_commits(const VcdFile& wave, const std::string& scope) {
    const auto sampler = [&](const std::string& name) {
        return Sampler(wave, scope + ".commit." + name);
    };
    const auto port = [&](unsigned index) {
        return Port{sampler(indexed("commit_valid", index)), sampler(indexed("commit_pc", index))};
    };
    std::array<Port, kPorts> ports{port(0), port(1)};
    Sampler trap = sampler("trap_valid");
    Sampler mepc = sampler("mepc_q");
    Sampler mode = sampler("priv_lvl_q");
    std::vector<CommitStep> steps;
    bool trapped = false; // in the cycle before: its registers have their values in this one
    for (Cycle cycle = wave.from(); cycle <= wave.to(); ++cycle) {
        const std::uint64_t epc = mepc.at(cycle);
        if (mode.at(cycle) == kMachineMode && trapped) {
            steps.push_back({cycle - 1, CommitStep::Kind::Trap, epc});
        } else if (trapped) {
            steps.push_back({cycle - 1, CommitStep::Kind::Trap, std::nullopt});
        }
        for (Port& each : ports) {
            if (each.valid.at(cycle) != 0) {
                steps.push_back({cycle, CommitStep::Kind::Instruction, each.pc.at(cycle)});
            }
        }
        trapped = trap.at(cycle) != 0;
    }
    return steps;
}

} // namespace pes::test
