// SPDX-License-Identifier: Apache-2.0
// Block device (VIRTIO 1.2, section 5.2) with the features SEG_MAX, BLK_SIZE and FLUSH.
#pragma once

#include "hw/common/device/block_store.h"
#include "hw/virtio/virtio_function.h"

namespace pes {

class Disk final : public VirtioFunction {
  public:
    /// The store must outlive it.
    explicit Disk(BlockStore& store) : store_(store) {}

    std::uint32_t device_id() const override;
    std::uint64_t features() const override;
    std::vector<ConfigField> config() const override;
    std::uint32_t queue_size() const override { return 128; }
    std::size_t serve(unsigned /*queue*/, std::span<const std::byte> request,
                      std::span<std::byte> reply) override;
    void state(Archive& archive) override { archive(store_); }

  private:
    std::uint8_t do_request(std::span<const std::byte> request, std::span<std::byte> data);
    bool inside(std::uint64_t sector, std::uint64_t bytes) const;

    BlockStore& store_;
};

} // namespace pes
