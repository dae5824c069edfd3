// SPDX-License-Identifier: Apache-2.0
// The buffer of control transfer records: a ring of 16 to 256 entries. Logical entry 0 is the
// latest record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// The three registers of an entry as software reads them (hw/interface/maps/ctr.h).
struct TransferEntry {
    std::uint64_t source = 0;
    std::uint64_t target = 0;
    std::uint64_t data = 0;

    bool operator==(const TransferEntry&) const = default;
};

class TransferBuffer {
  public:
    /// `largest` is the largest depth, a power of two.
    explicit TransferBuffer(unsigned largest) : largest_(largest), depth_(largest) {}

    unsigned largest() const { return largest_; }
    unsigned depth() const { return depth_; }
    /// `depth` is a power of two up to the largest. The entries stay; the write pointer loses the
    /// bits that the new depth does not have.
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
    /// `logical` is below the depth. Y = (WRPTR - X - 1) % depth.
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
    /// Logical entry 0 becomes the last entry. The caller sets its valid bit.
    TransferEntry& pop() {
        set_write_pointer(write_pointer_ - 1);
        return entries_[write_pointer_];
    }
    void clear() { entries_ = {}; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    unsigned largest_;
    unsigned depth_;
    unsigned write_pointer_ = 0;
    std::array<TransferEntry, 256> entries_{};
};

} // namespace pes
