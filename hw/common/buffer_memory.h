// SPDX-License-Identifier: Apache-2.0
// Memory as a hart's asynchronous memory buffer (Ssamb) accesses it: with a privilege and an
// address translation of its own, independent of what the hart executes.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <optional>
#include <span>

namespace pes {

class BufferMemory {
  public:
    BufferMemory() = default;
    BufferMemory(const BufferMemory&) = delete;
    BufferMemory& operator=(const BufferMemory&) = delete;
    virtual ~BufferMemory() = default;

    /// The physical address of a write to this address; none if it raises a page fault.
    virtual std::optional<Address> translate(Address address) = 0;
    /// Writes the words, which must not cross a page boundary. False if there is no memory.
    virtual bool store(Address physical, std::span<const std::uint64_t> words) = 0;
    /// Changes whenever cached translations become stale (SFENCE.VMA).
    virtual std::uint64_t fences() const = 0;
    /// Makes the buffer's interrupt pending; its cause occurred in cycle `at`.
    virtual void interrupt(Cycle at) = 0;
};

} // namespace pes
