// SPDX-License-Identifier: Apache-2.0
// What one kind of virtio device does with a request. The rest, registers, queue and time, is the
// same for all kinds (virtio_mmio.h). A request is complete in itself: bytes that the device reads,
// then bytes that it writes.
#pragma once

#include "hw/common/archive.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pes {

class VirtioFunction {
  public:
    /// A field of the device's configuration.
    struct ConfigField {
        std::string name;
        unsigned offset = 0;
        unsigned bytes = 4; ///< 1, 2, 4 or 8
        std::uint64_t value = 0;
        bool writable = false; ///< by the driver, see write_config()
    };

    VirtioFunction() = default;
    VirtioFunction(const VirtioFunction&) = delete;
    VirtioFunction& operator=(const VirtioFunction&) = delete;
    virtual ~VirtioFunction() = default;

    virtual std::uint32_t device_id() const = 0; ///< VIRTIO 1.2, section 5
    /// Feature bits of its own.
    virtual std::uint64_t features() const { return 0; }
    virtual std::vector<ConfigField> config() const { return {}; }
    /// The driver has written a field, also before it has initialised the device.
    virtual void write_config(unsigned /*offset*/, std::uint64_t /*value*/) {}
    virtual unsigned queues() const { return 1; }
    virtual std::uint32_t queue_size() const = 0; ///< QueueNumMax, a power of two

    /// 0: a request of this queue would be served now. Otherwise the device asks again after so
    /// many cycles, and the request stays with the driver; kNever: for ever.
    virtual Cycle wait(unsigned /*queue*/) { return 0; }
    /// Serves a request; `reply` is as long as the driver has room. Returns the bytes written.
    virtual std::size_t serve(unsigned queue, std::span<const std::byte> request,
                              std::span<std::byte> reply) = 0;
    /// The driver has reset the device.
    virtual void reset() {}
    /// Lists what later answers depend on.
    virtual void state(Archive& /*archive*/) {}
};

} // namespace pes
