// SPDX-License-Identifier: Apache-2.0
// Between level wires, whose changes carry their cycles, and signals, which change in kernel time.
#pragma once

#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"

#include <pes-vp/ports.h>

#include <deque>

namespace pes::kit {

/// Drives a port in the cycle of each change, or at once if that has passed. A change replaces
/// those that were announced for its cycle or later.
class SignalDriver : public sc_core::sc_module, public LevelInterface {
  public:
    SignalDriver(const sc_core::sc_module_name& name, const ClockDomain& clock, InterruptOut& port);

    void set_level(bool level, Cycle at) override;

  private:
    struct Change {
        Cycle at;
        bool level;
    };

    void drive();

    const ClockDomain clock_;
    InterruptOut& port_;
    std::deque<Change> changes_; ///< that the kernel has not come to
    sc_core::sc_event wake_;
};

/// Tells a sink of the changes of a port, each with the first clock edge that sees it.
class SignalReader : public sc_core::sc_module {
  public:
    SignalReader(const sc_core::sc_module_name& name, const ClockDomain& clock, InterruptIn& port,
                 LevelSink& sink, unsigned line);

  private:
    void changed();

    const ClockDomain clock_;
    InterruptIn& port_;
    LevelSink& sink_;
    const unsigned line_;
    bool level_ = false;
};

} // namespace pes::kit
