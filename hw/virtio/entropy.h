// SPDX-License-Identifier: Apache-2.0
// Entropy device (VIRTIO 1.2, section 5.4). Its numbers follow from a seed: every run gets the
// same.
#pragma once

#include "hw/common/random_numbers.h"
#include "hw/virtio/virtio_function.h"

namespace pes {

class Entropy final : public VirtioFunction {
  public:
    explicit Entropy(std::uint64_t seed) : numbers_(seed) {}

    std::uint32_t device_id() const override;
    std::uint32_t queue_size() const override { return 8; }
    /// Fills the whole buffer. A reset of the device does not repeat numbers.
    std::size_t serve(unsigned /*queue*/, std::span<const std::byte> request,
                      std::span<std::byte> reply) override;
    void state(Archive& archive) override { archive(numbers_); }

  private:
    RandomNumbers numbers_;
};

} // namespace pes
