// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/device_port.h"

#include <algorithm>

namespace pes {

/// Nothing later retires before the access itself does: a load retires after `at`; a store goes out
/// after its retirement, which is later than that of the instruction before it, since stores retire
/// on the first port only. Devices see accesses in program order, also a load that overtakes a
/// store which waits in the write buffer; it retires after its own `at` all the same.
Cycle DevicePort::prepare(Cycle at, Access access) {
    const Cycle certain = access == Access::Load
                              ? at - 1
                              : std::min(at - 1, std::max(time_.last_retirement, time_.decode));
    if (certain > feed_.bank().now()) {
        feed_.bring_to(certain);
    }
    return std::max(at, last_);
}

void DevicePort::make(DeviceAccess& access, Cycle at) {
    last_ = std::max(at, last_);
    host_.reach(last_);
    access.at = at;
    access.made = true;
    if (at < time_.woken_in && access.physical == config_.mtime && access.access == Access::Load) {
        access.data = bus_.time(at); // it went out before WFI ended, and that is past
        return;
    }
    access.result = access.access == Access::Load
                        ? bus_.load(access.physical, &access.data, access.size, at)
                        : bus_.store(access.physical, &access.data, access.size, at);
    if (config_.bus_errors == UpstreamDefect::Reproduced) {
        access.result.status = BusStatus::Ok; // the core ignores it
    }
}

/// As with a load, everything before it has pulsed.
void DevicePort::reach(Cycle at) {
    last_ = prepare(std::max<Cycle>(at, 1), Access::Load);
    bus_.reach(last_);
}

void DevicePort::set_supervisor_timer(std::uint64_t stimecmp, Cycle at) {
    last_ = prepare(std::max<Cycle>(at, 1), Access::Load);
    bus_.set_supervisor_timer(stimecmp, last_);
}

} // namespace pes
