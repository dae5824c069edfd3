// SPDX-License-Identifier: Apache-2.0
// Accesses of a hart to devices. Each reaches the bus in its own cycle, after the device has
// received every counter edge that is certain by then.
#pragma once

#include "hw/core/feed/counter_feed.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_ports.h"
#include "hw/core/hart_time.h"
#include "hw/core/memory/host_memory.h"
#include "hw/core/memory/pmp.h"

#include <cstdint>

namespace pes {

struct DeviceAccess {
    Access access = Access::Load;
    Address physical = 0;
    unsigned size = 0;
    std::uint64_t data = 0;
    Cycle at = 0; ///< cycle in which it reached the device
    bool made = false;
    BusResult result{};
};

class DevicePort {
  public:
    DevicePort(const HartConfig& config, HartBus& bus, HostMemory& host, CounterFeed& feed,
               const HartTime& time)
        : config_(config), bus_(bus), host_(host), feed_(feed), time_(time) {}

    /// Brings the counters up to date for an access that leaves the core in `at`. Returns the cycle
    /// in which it reaches the device, which is after the previous access.
    Cycle prepare(Cycle at, Access access);
    /// True if prepare() has nothing to do.
    bool ready(Cycle at) const { return at >= last_ && feed_.quiet_through(at - 1); }
    void make(DeviceAccess& access, Cycle at);
    /// Afterwards the hart knows every interrupt that is there by cycle `at`.
    void reach(Cycle at);
    /// A write of stimecmp in cycle `at`, which also leaves the core in order.
    void set_supervisor_timer(std::uint64_t stimecmp, Cycle at);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    const HartConfig& config_;
    HartBus& bus_;
    HostMemory& host_;
    CounterFeed& feed_;
    const HartTime& time_;
    Cycle last_ = 0; ///< access
};

} // namespace pes
