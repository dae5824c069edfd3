// SPDX-License-Identifier: Apache-2.0
// Main memory as a device reads and writes it, by physical address. What a device has written is
// what the next access of any hart finds; docs/devices.md says what that costs them.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pes {

class DeviceMemory {
  public:
    DeviceMemory() = default;
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    virtual ~DeviceMemory() = default;

    /// Whether all of these bytes are main memory.
    virtual bool has(Address address, std::uint64_t length) const = 0;
    // In cycle `at`. False, and nothing is copied, unless has().
    virtual bool read(Address from, std::span<std::byte> to, Cycle at) = 0;
    virtual bool write(Address to, std::span<const std::byte> from, Cycle at) = 0;
};

} // namespace pes
