// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/device_master.h"

namespace pes {

bool DeviceMaster::has(Address address, std::uint64_t length) const {
    return address >= base_ && memory_.memory().contains(address - base_, length);
}

bool DeviceMaster::read(Address from, std::span<std::byte> to, Cycle at) {
    return has(from, to.size()) && memory_.read(from - base_, to, at);
}

/// The harts first: what the word's watcher does may look at them.
bool DeviceMaster::write(Address to, std::span<const std::byte> from, Cycle at) {
    if (!has(to, from.size())) {
        return false;
    }
    if (!from.empty()) {
        for (Hart* hart : harts_) {
            hart->memory_written(to, from.size());
        }
    }
    return memory_.write(to - base_, from, at);
}

} // namespace pes
