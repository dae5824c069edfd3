// SPDX-License-Identifier: Apache-2.0
#include "hw/virtio/virtio_console.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/virtio.h"

#include <utility>

namespace pes {

std::uint32_t VirtioConsole::device_id() const {
    return virtio::kConsoleDevice;
}

std::uint64_t VirtioConsole::features() const {
    return std::uint64_t{1} << virtio::kConsoleEmergencyWrite;
}

/// struct virtio_console_config; the fields of other features are not there.
std::vector<VirtioFunction::ConfigField> VirtioConsole::config() const {
    return {{.name = "emerg_wr", .offset = virtio::kConsoleEmergencyField, .writable = true}};
}

/// 5.3.5.1: the lower byte is a character, transmitted whatever the state of the device is.
void VirtioConsole::write_config(unsigned /*offset*/, std::uint64_t value) {
    const auto character = static_cast<std::byte>(value);
    output_({&character, 1});
}

Cycle VirtioConsole::wait(unsigned queue) {
    if (queue != virtio::kConsoleReceiveQueue || received_) {
        return 0;
    }
    if (input_ == nullptr) {
        return kNever;
    }
    received_ = input_->next();
    if (received_) {
        return 0;
    }
    return input_->ended() ? kNever : character_;
}

std::size_t VirtioConsole::serve(unsigned queue, std::span<const std::byte> request,
                                 std::span<std::byte> reply) {
    if (queue == virtio::kConsoleReceiveQueue) {
        return receive(reply);
    }
    output_(request);
    return 0;
}

std::size_t VirtioConsole::receive(std::span<std::byte> reply) {
    if (reply.empty()) {
        module_logger("virtio_console")->warn("a receive buffer without room");
        return 0;
    }
    std::size_t bytes = 0;
    while (received_ && bytes < reply.size()) {
        reply[bytes++] = static_cast<std::byte>(*received_);
        received_ = input_ != nullptr ? input_->next() : std::nullopt;
    }
    return bytes;
}

} // namespace pes
