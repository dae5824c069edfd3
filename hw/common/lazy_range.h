// SPDX-License-Identifier: Apache-2.0
// A part of a memory whose writer writes late, so that the simulation does not stop for each of its
// bursts. The memory owns the range. Before an access to it the writer must catch up: the memory
// asks for this before bus accesses, an initiator with direct access before its own.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace pes {

class LateWriter {
  public:
    LateWriter() = default;
    LateWriter(const LateWriter&) = delete;
    LateWriter& operator=(const LateWriter&) = delete;
    virtual ~LateWriter() = default;

    /// Writes everything up to and including cycle `at`, directly and not over the bus. Does
    /// nothing for a cycle in the past.
    virtual void catch_up(Cycle at) = 0;
};

class LazyRange {
  public:
    using Changed = std::function<void(std::span<std::byte>)>;

    /// `changed` is called for bytes that become lazy or are no longer lazy.
    explicit LazyRange(Changed changed = {}) : changed_(std::move(changed)) {}

    /// From now on `writer` writes these bytes late. False if the range is already in use.
    [[nodiscard]] bool claim(std::span<std::byte> bytes, LateWriter& writer) {
        if (writer_ != nullptr) {
            return false;
        }
        writer_ = &writer;
        bytes_ = bytes;
        tell(bytes);
        return true;
    }
    /// The writer is up to date and writes no more. Does nothing if it does not hold the range.
    void release(const LateWriter& writer) {
        if (writer_ == &writer) {
            writer_ = nullptr;
            tell(std::exchange(bytes_, {}));
        }
    }

    bool empty() const { return bytes_.empty(); }
    bool overlaps(const std::byte* first, std::size_t size) const {
        return first < bytes_.data() + bytes_.size() && bytes_.data() < first + size;
    }
    /// Must be called before an access to these bytes in cycle `at`.
    void update(const std::byte* first, std::size_t size, Cycle at) const {
        if (overlaps(first, size)) [[unlikely]] {
            writer_->catch_up(at);
        }
    }

  private:
    void tell(std::span<std::byte> bytes) const {
        if (changed_ && !bytes.empty()) {
            changed_(bytes);
        }
    }

    Changed changed_;
    std::span<std::byte> bytes_;
    LateWriter* writer_ = nullptr;
};

} // namespace pes
