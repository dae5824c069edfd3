// SPDX-License-Identifier: Apache-2.0
// Console device (VIRTIO 1.2, section 5.3) with one port and the feature EMERG_WRITE. Its size is
// not known, so SIZE is not offered, nor is MULTIPORT.
//
// Input has no line rate: a buffer of the receive queue gets all bytes that are there, as far as
// they fit, once one is there. While none is, the device looks for one after each time of a
// character of the UART, since that is the pace at which a ConsoleInput is asked.
#pragma once

#include "hw/common/device/console_input.h"
#include "hw/interface/types.h"
#include "hw/virtio/virtio_function.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace pes {

class VirtioConsole final : public VirtioFunction {
  public:
    using Output = std::function<void(std::span<const std::byte> bytes)>;

    /// `input` is asked every `character` cycles; null: nothing comes in. It must outlive the
    /// device.
    VirtioConsole(Output output, ConsoleInput* input, Cycle character)
        : output_(std::move(output)), input_(input), character_(character) {}

    std::uint32_t device_id() const override;
    std::uint64_t features() const override;
    std::vector<ConfigField> config() const override;
    void write_config(unsigned offset, std::uint64_t value) override;
    unsigned queues() const override { return 2; } ///< of port 0: receiveq, transmitq (5.3.2)
    std::uint32_t queue_size() const override { return 64; }
    Cycle wait(unsigned queue) override;
    std::size_t serve(unsigned queue, std::span<const std::byte> request,
                      std::span<std::byte> reply) override;
    /// Where the input comes from is the platform's, and its place in it too.
    void state(Archive& archive) override { archive(received_); }

  private:
    std::size_t receive(std::span<std::byte> reply);

    const Output output_;
    ConsoleInput* const input_;
    const Cycle character_;
    std::optional<std::uint8_t> received_; ///< that no buffer has got yet
};

} // namespace pes
