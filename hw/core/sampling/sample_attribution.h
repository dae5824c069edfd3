// SPDX-License-Identifier: Apache-2.0
// Sspesa, the hart's part: finds the instruction that made a counter overflow, or brought one to
// its threshold, for the registers in the counter bank.
//
// An event that an instruction causes is attributed to that instruction, whatever the pipeline has
// done since. A cycle is attributed to the instruction that it is charged to (truth/oracle.h), the
// time-proportional attribution that Sspesa requires. An event without a cause (a write lowered a
// threshold) is attributed to the instruction that retires then or next, as Sspesa recommends.
//
// docs/precise-sampling.md has the registers and the choices that the draft leaves open.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/sampling/skidless_delivery.h"
#include "hw/core/truth/oracle.h"

#include <array>
#include <cstdint>
#include <optional>

namespace pes {

class SampleAttribution final : private SampleHost, private SightSink {
  public:
    /// The oracle must be able to answer questions.
    SampleAttribution(const CsrFile& csr, const InterruptInputs& interrupts, CounterBank& bank,
                      Oracle& oracle, std::optional<SkidlessDelivery>& skidless);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool overflow_pending() const override;
    std::uint32_t sampled_counters() const override;
    void overflowed(const Crossing& crossing) override;
    void find_cause(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;

    const CsrFile& csr_;
    const InterruptInputs& interrupts_;
    CounterBank& bank_;
    Oracle& oracle_;
    std::optional<SkidlessDelivery>& skidless_; ///< Ssplcofi
    std::array<Cycle, 2> asked_at_{};           ///< the last crossing of each kind
    unsigned turn_ = 0; ///< of two that share a cycle, the one and the other
};

} // namespace pes
