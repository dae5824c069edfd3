// SPDX-License-Identifier: Apache-2.0
// Accesses of a hart that host memory does not answer: each reaches the bus in its own cycle, and
// before it the device has seen every edge of the counters that is certain.
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
    Cycle at = 0; ///< when it reached the device
    bool made = false;
    BusResult result{};
};

class DevicePort {
  public:
    DevicePort(const HartConfig& config, HartBus& bus, HostMemory& host, CounterFeed& feed,
               const HartTime& time)
        : config_(config), bus_(bus), host_(host), feed_(feed), time_(time) {}

    /// Brings the counters forward for an access that leaves the core in `at`. Returns when it
    /// reaches the device: after the one before.
    Cycle prepare(Cycle at, Access access);
    /// True if there is nothing to prepare.
    bool ready(Cycle at) const { return at >= last_ && feed_.quiet_through(at - 1); }
    void make(DeviceAccess& access, Cycle at);
    /// A write of stimecmp in cycle `at`: it leaves the core as well, and in order.
    void set_supervisor_timer(std::uint64_t stimecmp, Cycle at);

  private:
    const HartConfig& config_;
    HartBus& bus_;
    HostMemory& host_;
    CounterFeed& feed_;
    const HartTime& time_;
    Cycle last_ = 0; ///< access
};

} // namespace pes
