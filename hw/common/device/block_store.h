// SPDX-License-Identifier: Apache-2.0
// What a disk of the guest is on the host.
#pragma once

#include "hw/common/archive.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pes {

class BlockStore {
  public:
    static constexpr std::uint64_t kSector = 512; ///< bytes

    BlockStore() = default;
    BlockStore(const BlockStore&) = delete;
    BlockStore& operator=(const BlockStore&) = delete;
    virtual ~BlockStore() = default;

    virtual std::uint64_t bytes() const = 0; ///< a multiple of kSector
    // The caller keeps inside of bytes(). False: the host cannot.
    virtual bool read(std::uint64_t offset, std::span<std::byte> to) = 0;
    virtual bool write(std::uint64_t offset, std::span<const std::byte> from) = 0;
    /// What has been written survives the host.
    virtual bool flush() = 0;
    /// What the guest has written, if nothing else has it.
    virtual void state(Archive& archive) = 0;
};

} // namespace pes
