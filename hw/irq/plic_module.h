// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the PLIC: TLM target, source lines in, target lines out. Its one process wakes
// in the cycles in which the state machine moves and sleeps while it is stable.
#pragma once

#include "hw/common/level.h"
#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"
#include "hw/common/systemc/register_target.h"
#include "hw/irq/plic.h"

#include <systemc>

namespace pes {

class PlicModule : public sc_core::sc_module {
  public:
    /// `latency`: cycles that a register access costs its initiator.
    PlicModule(const sc_core::sc_module_name& name, const PlicConfig& config,
               const ClockDomain& clock, Cycle latency);

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    /// Source lines; line = source index (interrupt id - 1).
    LevelSink& sources() { return inputs_; }
    sc_core::sc_vector<LevelOut> eip; ///< target outputs, one a context

    Plic& plic() { return plic_; }
    const Plic& plic() const { return plic_; }

  private:
    /// What goes into and comes out of the state machine, as level wires.
    class Inputs : public LevelSink {
      public:
        explicit Inputs(PlicModule& owner) : owner_(owner) {}
        void set_level(unsigned line, bool level, Cycle at) override;

      private:
        PlicModule& owner_;
    };

    void update();
    void schedule();

    const ClockDomain clock_;
    Plic plic_;
    Inputs inputs_;
    LevelOutputs outputs_;
    RegisterTarget target_;
    sc_core::sc_event wake_;
};

} // namespace pes
