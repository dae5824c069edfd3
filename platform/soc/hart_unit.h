// SPDX-License-Identifier: Apache-2.0
// One hart of the platform with what belongs to it alone: its counters and its part of the waves,
// under the scope hartN.
#pragma once

#include "hw/core/hart_module.h"
#include "hw/pdis/sampler.h"
#include "platform/config/config.h"
#include "platform/soc/bank_factory.h"
#include "platform/soc/hart_tap.h"
#include "platform/soc/waves/commit_wave.h"
#include "platform/soc/waves/interrupt_wave.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

class HartUnit {
  public:
    struct Place {
        unsigned index = 0; ///< mhartid
        Address entry = 0;
        Address device_tree = 0;      ///< a1
        Address information = 0;      ///< a2
        WaveSink* wave = nullptr;     ///< null: nothing is recorded
        std::vector<HartTap*> taps{}; ///< the first is nearest to the counters
        LockstepBank::Hooks lockstep{};
        StimulusWriter::Sink stimulus{}; ///< of the counters; empty: nobody wants it
        HartModule::Timer timer;
    };

    /// The firmware finds mhartid in a0.
    HartUnit(const PlatformConfig& config, const ClockDomain& clock, Place place);

    /// What sees each retirement: the wave group "commit", counters in RTL.
    void attach_observers(WaveSink* wave, const std::shared_ptr<FunctionNames>& functions);

    HartModule& module() { return module_; }
    const HartModule& module() const { return module_; }
    Hart& hart() { return module_.hart(); }
    HpmBank& bank() { return *bank_; }
    void state(Archive& archive); ///< of a checkpoint
    /// Where the wires of CLINT and PLIC end; line = Interrupt.
    LevelSink& interrupts() { return interrupts_; }

  private:
    std::string commit_scope_;
    std::unique_ptr<HpmBank> bank_;
    HartModule module_;
    std::optional<pdis::Sampler> sampler_; ///< of decoded instructions
    std::optional<InterruptWave> interrupt_wave_;
    std::optional<CommitWave> commit_wave_;
    LevelSink& interrupts_;
};

} // namespace pes
