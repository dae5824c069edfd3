// SPDX-License-Identifier: Apache-2.0
// The registers of Sspesa as pes_sample_registers.sv has them: which overflow and which crossing of
// a threshold they capture, and since when they hold what. docs/precise-sampling.md has the rules.
#pragma once

#include "hw/common/sample_host.h"
#include "hw/interface/pmu/counter_csr.h"

#include <array>
#include <cstdint>
#include <optional>

namespace pes {

class SampleRegisters {
  public:
    explicit SampleRegisters(SampleHost& host) : host_(&host) {}

    /// By place in kSampleCsrs.
    std::uint64_t read(unsigned place) const { return values_[place]; }
    void write(unsigned place, std::uint64_t value) { values_[place] = value & kStored[place]; }

    /// Before what happens in a cycle, or in a span without a crossing: what has been named lands.
    void begin_cycle();
    /// In the order of their numbers: a counter with OF = 0 overflows; one reaches its threshold
    /// while the line is low. `requested`: another one has in the cycle before.
    void overflowed(const Crossing& crossing, bool requested);
    void reached(const Crossing& crossing);

    /// See CounterBank.
    void name_cause(const SampleCause& cause) { named_[index_of(cause.kind)] = cause; }

    /// What has been asked for in the last cycle, by kind.
    const std::optional<Crossing>& asked(Crossing::Kind kind) const {
        return asked_[index_of(kind)];
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::uint64_t kPcBits = ~std::uint64_t{1};
    static constexpr std::uint64_t kCounterBits = 0x1F; // CNTRID
    static constexpr std::array<std::uint64_t, kSampleCsrCount> kStored{
        kPcBits, kCounterBits, kPcBits, kCounterBits, ~std::uint64_t{0}};

    static constexpr std::size_t index_of(Crossing::Kind kind) {
        return kind == Crossing::Kind::Overflow ? 0 : 1;
    }
    void ask(const Crossing& crossing);

    SampleHost* host_;
    std::array<std::uint64_t, kSampleCsrCount> values_{};
    std::array<std::optional<SampleCause>, 2> named_; ///< answers on their way
    std::array<std::optional<Crossing>, 2> asked_;
};

} // namespace pes
