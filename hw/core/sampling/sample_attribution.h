// SPDX-License-Identifier: Apache-2.0
// Sspesa: captures the instruction that made a counter overflow. As an addition of this project,
// also for the thresholds of precise event sampling, with the data address of the instruction.
//
// An event that an instruction causes is attributed to that instruction, whatever the pipeline has
// done since. A cycle is attributed to the instruction that it is charged to (truth/oracle.h), the
// time-proportional attribution that Sspesa requires. An event without a cause (a write lowered a
// threshold) is attributed to the instruction that retires then or next, as Sspesa recommends.
//
// docs/precise-sampling.md has the registers and the choices that the draft leaves open.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/csr_owner.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/feed/interrupt_inputs.h"
#include "hw/core/truth/oracle.h"
#include "hw/interface/maps/csr.h"

#include <cstdint>

namespace pes {

class SampleAttribution final : public CsrOwner, private CrossingSink, private SightSink {
  public:
    /// The bank must report crossings, and the oracle must answer questions.
    SampleAttribution(const CsrFile& csr, const InterruptInputs& interrupts, CounterBank& bank,
                      Oracle& oracle);

    std::uint64_t read(std::uint16_t number) const override;
    void write(const CsrWrite& write) override;

    /// The CSRs of captures by thresholds.
    static constexpr std::uint16_t kThresholdCsrs[] = {csr::kMhpmmspc, csr::kMhpmmsdata,
                                                       csr::kMhpmmsaddr};

  private:
    struct Sample {
        Address pc = 0;
        std::uint64_t counter = 0; ///< CNTRID
        Address data = 0;          ///< 0 if it accesses no memory
    };

    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;

    bool captures(const Crossing& crossing) const;
    template <typename Self>
    static auto& find(Self& self, std::uint16_t number);

    const CsrFile& csr_;
    const InterruptInputs& interrupts_;
    const CounterBank& bank_;
    Oracle& oracle_;
    Sample overflow_, threshold_;
    Cycle overflow_at_ = kNever; ///< cycle of the latest captures
    Cycle threshold_at_ = kNever;
    unsigned turn_ = 0; ///< alternates between two instructions that share a cycle
};

} // namespace pes
