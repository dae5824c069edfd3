// SPDX-License-Identifier: Apache-2.0
// A bare machine whose hart samples decoded instructions, with all records that were made.
#pragma once

#include "hw/pdis/sampler.h"
#include "tests/unit/core/bare_machine.h"

#include <cstdint>
#include <random>
#include <vector>

namespace pes::test {

namespace pdis = pes::pdis;

inline constexpr std::uint16_t kMpdisctl = 0x7D0;
inline constexpr std::uint16_t kSpdisctl = 0x5D0;
inline constexpr std::uint16_t kSpdiscounter = 0x5D1;
inline constexpr std::uint16_t kSpdisevmask = 0x5D2;
inline constexpr std::uint16_t kSpdisevmatch = 0x5D3;
inline constexpr std::uint16_t kSpdisfilter = 0x5D4;
inline constexpr std::uint16_t kSpdisambcs = 0x5D5;
inline constexpr std::uint16_t kSpdisambaddr = 0x5D6;

/// spdiscounter for one selection every `period` decoded instructions.
constexpr std::uint64_t every(std::uint64_t period) {
    const std::uint64_t initial = (std::uint64_t{1} << 32) - period;
    return initial << 32 | initial;
}

/// Between the hart and the sampler: keeps what passes.
class RecordKeeper : public DecodeTap {
  public:
    struct Kept {
        SampledInstruction instruction;
        pdis::Record record;
    };

    explicit RecordKeeper(pdis::Sampler& sampler) : sampler_(sampler) {}
    const std::vector<Kept>& records() const { return records_; }
    const std::vector<DecodedInstruction>& reports() const { return reports_; }

    DecodeVerdict decoded(const DecodedInstruction& instruction,
                          const DecodedTotals& totals) override;
    SampleEffect ended(const SampledInstruction& instruction) override;
    void entered(Privilege mode, const DecodedTotals& totals) override {
        sampler_.entered(mode, totals);
    }
    std::uint64_t indifferent_to() const override { return sampler_.indifferent_to(); }

  private:
    pdis::Sampler& sampler_;
    std::vector<Kept> records_;
    std::vector<DecodedInstruction> reports_;
};

/// mhpmcounter3 and on count the nine events of decoded-instruction sampling from reset on.
class SampledMachine : public BareMachine {
  public:
    explicit SampledMachine(Extensions extensions = {.smcsrind = true},
                            ExecutionPath path = ExecutionPath::Auto);

    pdis::Sampler& sampler() { return sampler_; }
    const RecordKeeper& keeper() const { return keeper_; }
    /// As the guest's instruction writes a CSR of the sampler.
    void write(std::uint16_t number, std::uint64_t value) {
        sampler_.write({.number = number, .value = value, .argument = 0, .at = 0});
    }
    /// What the guest can read of an event. Before that the machine is settled.
    std::uint64_t counted(const char* event);
    /// Every overflow is accounted for.
    bool adds_up() const;

  private:
    static HartConfig config(Extensions extensions, ExecutionPath path);
    static std::unique_ptr<CounterBank> counters();

    pdis::Sampler sampler_;
    RecordKeeper keeper_{sampler_};
};

/// An endless program with loads, stores, branches, calls, atomics, CSR accesses, fences and traps,
/// whose trap handler takes a record for each interrupt 13.
void place_random_program(SampledMachine& machine, std::mt19937& random);

} // namespace pes::test
