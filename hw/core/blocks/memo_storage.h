// SPDX-License-Identifier: Apache-2.0
// Where the memo keeps its parts: they do not move, come without an allocation each, and go all at
// once. Cleared storage keeps its memory for what comes next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pes {

/// Elements by number; those of a run, at most kChunk of them, lie side by side.
template <typename T, std::size_t kChunk>
class RunPool {
  public:
    T& operator[](std::size_t index) { return chunks_[index / kChunk][index % kChunk]; }
    const T& operator[](std::size_t index) const { return chunks_[index / kChunk][index % kChunk]; }
    std::span<const T> run(std::size_t first, std::size_t count) const {
        return count == 0 ? std::span<const T>() : std::span(&(*this)[first], count);
    }
    /// The number that the next element has.
    std::size_t size() const { return size_; }

    T& add(const T& value) {
        make_room(1);
        return (*this)[size_++] = value;
    }
    /// Begins a run of `count` elements, which are added one by one.
    void make_room(std::size_t count) {
        if (size_ % kChunk + count > kChunk) {
            size_ += kChunk - size_ % kChunk;
        }
        if (size_ == chunks_.size() * kChunk) {
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
        }
    }
    /// Returns the number of the first.
    std::size_t add_run(std::span<const T> values) {
        make_room(values.size());
        const std::size_t first = size_;
        if (!values.empty()) {
            std::copy(values.begin(), values.end(), &(*this)[first]);
        }
        size_ += values.size();
        return first;
    }
    void clear() { size_ = 0; }

  private:
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::size_t size_ = 0;
};

/// Numbers of elements by the hashes of their keys.
class HashIndex {
  public:
    static constexpr std::size_t kNone = ~std::size_t{0};

    /// `equal(number)` tells whether the element has the key.
    template <typename Equal>
    std::size_t find(std::uint64_t hash, Equal equal) const {
        if (slots_.empty()) {
            return kNone;
        }
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.next == 0) {
                return kNone;
            }
            if (slot.tag == tag && equal(slot.next - 1U)) {
                return slot.next - 1U;
            }
        }
    }
    /// Of a key that is not there.
    void add(std::uint64_t hash, std::size_t number) {
        if (2 * (size_ + 1) > slots_.size()) {
            grow();
        }
        place({.hash = static_cast<std::uint32_t>(hash),
               .tag = static_cast<std::uint32_t>(hash >> 32),
               .next = static_cast<std::uint32_t>(number + 1)});
        ++size_;
    }
    void clear() {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        size_ = 0;
    }
    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

  private:
    struct Slot {
        std::uint32_t hash = 0; ///< its low half, which says where it belongs
        std::uint32_t tag = 0;  ///< its high half
        std::uint32_t next = 0; ///< behind the number; 0: empty
    };
    static constexpr std::size_t kFirstSlots = 4096;

    std::size_t mask() const { return slots_.size() - 1; }
    void place(const Slot& slot) {
        std::size_t at = slot.hash & mask();
        while (slots_[at].next != 0) {
            at = (at + 1) & mask();
        }
        slots_[at] = slot;
    }
    void grow() {
        std::vector<Slot> old(std::max(kFirstSlots, 2 * slots_.size()));
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.next != 0) {
                place(slot);
            }
        }
    }

    std::vector<Slot> slots_; ///< a power of two of them, or none
    std::size_t size_ = 0;
};

} // namespace pes
