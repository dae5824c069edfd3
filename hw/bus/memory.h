// SPDX-License-Identifier: Apache-2.0
// Plain RAM. The host allocates its pages, filled with zeros, on first use, so a large memory costs
// nothing until then.
#pragma once

#include "hw/common/archive.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pes {

class Memory {
  public:
    /// Throws std::invalid_argument for 0 bytes, std::system_error if the host has no memory.
    explicit Memory(std::uint64_t size);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    std::byte* data() { return data_; }
    const std::byte* data() const { return data_; }
    std::uint64_t size() const { return size_; }
    std::span<std::byte> bytes() { return {data_, size_}; }

    /// True if [offset, offset + length) lies inside and does not wrap around.
    bool contains(Address offset, std::uint64_t length) const {
        return offset <= size_ && length <= size_ - offset;
    }
    /// Of a checkpoint: the pages that are not all zeros.
    void state(Archive& archive);
    /// Copies `length` bytes. False, and nothing is copied, if any of them lies outside.
    bool read(Address offset, void* to, std::size_t length) const;
    bool write(Address offset, const void* from, std::size_t length);

  private:
    void clear(Address from, Address to);

    std::uint64_t size_;
    std::byte* data_;
};

} // namespace pes
