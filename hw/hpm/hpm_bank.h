// SPDX-License-Identifier: Apache-2.0
// What the platform needs from a counter bank besides the hart's contract.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/retirement.h"
#include "hw/common/wave.h"
#include "hw/hpm/counter_config.h"
#include "hw/interface/pmu/counter_csr.h"

#include <string_view>

namespace pes {

class CounterCoverage;

class HpmBank : public CounterBank {
  public:
    /// Offers the registers as group "hpm" under `scope`; see BankWave for the names. Call before
    /// the first cycle; `sink` must outlive the bank.
    virtual void attach_wave(WaveSink& sink, std::string_view scope) = 0;

    bool can_interrupt(Privilege mode, CountedEvents events) const override;

    /// The run has ended: writes the last values to the wave, also outside its window, and compares
    /// banks in lockstep once more.
    virtual void finish() = 0;

    /// The observer of retirements that the bank needs, or null.
    virtual HartObserver* observer() { return nullptr; }

    /// What the run has seen of the counters, or null: nobody has looked.
    virtual const CounterCoverage* coverage() const { return nullptr; }

  protected:
    explicit HpmBank(const CounterConfig& config) : config_(config) {}
    bool is_own(std::uint16_t csr) const;

    const CounterConfig config_;
};

} // namespace pes
