// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/entropy.h"

#include "hw/interface/maps/virtio.h"

#include <algorithm>
#include <cstring>

namespace pes {

std::uint32_t Entropy::device_id() const {
    return virtio::kEntropyDevice;
}

std::size_t Entropy::serve(unsigned /*queue*/, std::span<const std::byte> /*request*/,
                           std::span<std::byte> reply) {
    const std::size_t bytes = reply.size();
    while (!reply.empty()) {
        const std::uint64_t number = numbers_.next();
        const std::size_t part = std::min(sizeof number, reply.size());
        std::memcpy(reply.data(), &number, part);
        reply = reply.subspan(part);
    }
    return bytes;
}

} // namespace pes
