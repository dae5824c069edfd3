// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the CLINT: TLM target and one timer and one software line a hart. Its process
// wakes at the next crossing of mtime and mtimecmp and at no other time.
#pragma once

#include "hw/common/level.h"
#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"
#include "hw/common/systemc/register_target.h"
#include "hw/irq/clint.h"

#include <systemc>

namespace pes {

class ClintModule : public sc_core::sc_module {
  public:
    /// `latency`: cycles that a register access costs its initiator.
    ClintModule(const sc_core::sc_module_name& name, const ClintConfig& config,
                const ClockDomain& clock, Cycle latency);

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    sc_core::sc_vector<LevelOut> timer;    ///< MTIP, one a hart
    sc_core::sc_vector<LevelOut> software; ///< MSIP, one a hart

    Clint& clint() { return clint_; }
    const Clint& clint() const { return clint_; }

  private:
    void update();
    void schedule();

    const ClockDomain clock_;
    Clint clint_;
    LevelOutputs timer_outputs_, software_outputs_;
    RegisterTarget target_;
    sc_core::sc_event wake_;
};

} // namespace pes
