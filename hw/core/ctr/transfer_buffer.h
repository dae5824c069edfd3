// SPDX-License-Identifier: Apache-2.0
// The buffer of control transfer records: a ring of 16 to 256 entries. Logical entry 0 is the one
// that was recorded last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// The three entry registers as software sees them: hw/interface/maps/ctr.h.
struct TransferEntry {
    std::uint64_t source = 0;
    std::uint64_t target = 0;
    std::uint64_t data = 0;

    bool operator==(const TransferEntry&) const = default;
};

class TransferBuffer {
  public:
    /// `largest` depth, a power of two.
    explicit TransferBuffer(unsigned largest) : largest_(largest), depth_(largest) {}

    unsigned largest() const { return largest_; }
    unsigned depth() const { return depth_; }
    /// A power of two up to the largest. The entries stay; bits of the write pointer that the new
    /// depth does not have are lost.
    void set_depth(unsigned depth) {
        depth_ = depth;
        set_write_pointer(write_pointer_);
    }

    /// The physical entry that is written next.
    unsigned write_pointer() const { return write_pointer_; }
    void set_write_pointer(std::uint64_t value) {
        write_pointer_ = static_cast<unsigned>(value) & (depth_ - 1);
    }

    bool holds(std::uint64_t logical) const { return logical < depth_; }
    /// `logical` is held. Y = (WRPTR - X - 1) % depth.
    const TransferEntry& entry(std::uint64_t logical) const {
        return entries_[(write_pointer_ - logical - 1) & (depth_ - 1)];
    }
    TransferEntry& entry(std::uint64_t logical) {
        return entries_[(write_pointer_ - logical - 1) & (depth_ - 1)];
    }

    void push(const TransferEntry& entry) {
        entries_[write_pointer_] = entry;
        set_write_pointer(write_pointer_ + 1);
    }
    /// Logical entry 0 becomes the last one, with its valid bit as the caller leaves it.
    TransferEntry& pop() {
        set_write_pointer(write_pointer_ - 1);
        return entries_[write_pointer_];
    }
    void clear() { entries_ = {}; }

  private:
    unsigned largest_;
    unsigned depth_;
    unsigned write_pointer_ = 0;
    std::array<TransferEntry, 256> entries_{};
};

} // namespace pes
