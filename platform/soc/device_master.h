// SPDX-License-Identifier: Apache-2.0
// Main memory as the devices of the platform access it. A write of a device does to the harts what
// a store of another hart does: it ends reservations of the words that it touches, reaches the
// host side if the word is watched, and leaves the caches of the timing model as they are.
#pragma once

#include "hw/bus/memory_module.h"
#include "hw/common/device/device_memory.h"
#include "hw/core/hart.h"

#include <vector>

namespace pes {

class DeviceMaster final : public DeviceMemory {
  public:
    DeviceMaster(MemoryModule& memory, Address base) : memory_(memory), base_(base) {}

    void add(Hart& hart) { harts_.push_back(&hart); }

    bool has(Address address, std::uint64_t length) const override;
    bool read(Address from, std::span<std::byte> to, Cycle at) override;
    bool write(Address to, std::span<const std::byte> from, Cycle at) override;

  private:
    MemoryModule& memory_;
    const Address base_;
    std::vector<Hart*> harts_;
};

} // namespace pes
