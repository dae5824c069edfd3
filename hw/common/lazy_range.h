// SPDX-License-Identifier: Apache-2.0
// A part of a memory that its writer fills late, so that nobody needs to stop for each of its
// bursts. The memory owns the range; everyone who reads or writes there has the writer catch up
// first: the memory does it for bus accesses, an initiator with direct access for itself.
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

    /// Writes everything up to and including cycle `at`, directly, not over the bus. Nothing to do
    /// for a cycle that has passed.
    virtual void catch_up(Cycle at) = 0;
};

class LazyRange {
  public:
    using Changed = std::function<void(std::span<std::byte>)>;

    /// `changed` is told of bytes that become or cease to be lazy.
    explicit LazyRange(Changed changed = {}) : changed_(std::move(changed)) {}

    /// From now on `writer` writes these bytes late. False if there is such a range already.
    [[nodiscard]] bool claim(std::span<std::byte> bytes, LateWriter& writer) {
        if (writer_ != nullptr) {
            return false;
        }
        writer_ = &writer;
        bytes_ = bytes;
        tell(bytes);
        return true;
    }
    /// The writer is up to date and stays so. Nothing to do if the range is not its own.
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
    /// Before an access to these bytes at `at`.
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
