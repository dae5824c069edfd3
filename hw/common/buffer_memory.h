// SPDX-License-Identifier: Apache-2.0
// Memory as an asynchronous memory buffer of a hart (Ssamb) reaches it: with a privilege and a
// translation of its own, whatever the hart is doing.
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

    /// Where a write to this address goes; none: a page fault.
    virtual std::optional<Address> translate(Address address) = 0;
    /// Writes the words, which do not leave their page. False: nothing there takes them.
    virtual bool store(Address physical, std::span<const std::uint64_t> words) = 0;
    /// Changes whenever translations that are kept must be looked up again (SFENCE.VMA).
    virtual std::uint64_t fences() const = 0;
    /// The buffer's interrupt becomes pending, for a reason that lies in cycle `at`.
    virtual void interrupt(Cycle at) = 0;
};

} // namespace pes
