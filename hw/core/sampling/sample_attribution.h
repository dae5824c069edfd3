// SPDX-License-Identifier: Apache-2.0
// Sspesa: which instruction made a counter overflow. And, as an addition of this project, the same
// for the thresholds of precise event sampling, with the data address of the instruction.
//
// Of an event that an instruction causes it is that instruction, whatever the pipeline has done
// since; of a cycle it is the one whose cycle it is (truth/oracle.h), the time-proportional
// attribution that Sspesa asks for. Where nobody caused the event (a write lowered a threshold) it
// is the one that retires in the cycle, or the next to retire, as Sspesa recommends.
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
    /// The bank must be able to tell of crossings, the oracle to answer questions.
    SampleAttribution(const CsrFile& csr, const InterruptInputs& interrupts, CounterBank& bank,
                      Oracle& oracle);

    std::uint64_t read(std::uint16_t number) const override;
    void write(const CsrWrite& write) override;

    /// mhpmmspc and the like: what thresholds capture.
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
    Cycle overflow_at_ = kNever; ///< of the crossings that were captured last
    Cycle threshold_at_ = kNever;
    unsigned turn_ = 0; ///< of two that share a cycle, the one and the other
};

} // namespace pes
