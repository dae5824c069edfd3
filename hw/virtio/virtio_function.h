// SPDX-License-Identifier: Apache-2.0
// What one kind of virtio device does with a request. The rest, registers, queue and time, is the
// same for all kinds (virtio_mmio.h). Each kind here has one queue, and a request is complete in
// itself: bytes that the device reads, then bytes that it writes.
#pragma once

#include "hw/common/archive.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pes {

class VirtioFunction {
  public:
    /// A field of the device's configuration, which no driver writes.
    struct ConfigField {
        std::string name;
        unsigned offset = 0;
        unsigned bytes = 4; ///< 1, 2, 4 or 8
        std::uint64_t value = 0;
    };

    VirtioFunction() = default;
    VirtioFunction(const VirtioFunction&) = delete;
    VirtioFunction& operator=(const VirtioFunction&) = delete;
    virtual ~VirtioFunction() = default;

    virtual std::uint32_t device_id() const = 0; ///< VIRTIO 1.2, section 5
    /// Feature bits of its own.
    virtual std::uint64_t features() const { return 0; }
    virtual std::vector<ConfigField> config() const { return {}; }
    virtual std::uint32_t queue_size() const = 0; ///< QueueNumMax, a power of two

    /// Serves a request; `reply` is as long as the driver has room. Returns the bytes written.
    virtual std::size_t serve(std::span<const std::byte> request, std::span<std::byte> reply) = 0;
    /// The driver has reset the device.
    virtual void reset() {}
    /// Lists what later answers depend on.
    virtual void state(Archive& /*archive*/) {}
};

} // namespace pes
