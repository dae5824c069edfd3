// SPDX-License-Identifier: Apache-2.0
// 9P transport (VIRTIO 1.2, section 5.10): takes messages of a driver to a server on the host.
#pragma once

#include "hw/common/device/message_server.h"
#include "hw/virtio/virtio_function.h"

#include <string>

namespace pes {

class FileTransport final : public VirtioFunction {
  public:
    /// `tag` is the name by which a driver mounts it. The server must outlive it.
    FileTransport(std::string tag, MessageServer& server) : tag_(std::move(tag)), server_(server) {}

    std::uint32_t device_id() const override;
    std::uint64_t features() const override { return 1; } // VIRTIO_9P_F_MOUNT_TAG
    std::vector<ConfigField> config() const override;
    std::uint32_t queue_size() const override { return 128; }
    std::size_t serve(unsigned /*queue*/, std::span<const std::byte> request,
                      std::span<std::byte> reply) override {
        return server_.answer(request, reply);
    }
    void reset() override { server_.reset(); }
    /// What is open on the host is not in a checkpoint.
    void state(Archive& archive) override;

  private:
    const std::string tag_;
    MessageServer& server_;
};

} // namespace pes
