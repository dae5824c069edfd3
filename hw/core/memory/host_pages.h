// SPDX-License-Identifier: Apache-2.0
// Large tables of the host's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pes {

/// Memory of the host, zero at first, which takes room only where it has been written.
class HostPages {
  public:
    /// Large: if the host has such pages. What lies in hundreds of megabytes is mostly not in its
    /// TLB; but it zeroes a large page as a whole.
    enum class Size : std::uint8_t { Usual, Large };
    /// What a copy of the process gets by fork(): all, or zeros. What it gets slows the writes of
    /// both down, page by page.
    enum class Copies : std::uint8_t { Whole, Empty };

    HostPages(std::size_t bytes, Size size, Copies copies);
    std::byte* data() const { return data_.get(); }
    /// It is zero again, and takes no room.
    void clear();

  private:
    struct Unmap {
        std::size_t bytes = 0;
        void operator()(std::byte* pages) const;
    };
    std::unique_ptr<std::byte, Unmap> data_;
};

} // namespace pes
