// SPDX-License-Identifier: Apache-2.0
// Where the memo keeps its parts: side by side in the order in which they come, so that what is
// read together lies together. They do not move, come without an allocation each, and go all at
// once.
#pragma once

#include "hw/core/memory/host_pages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace pes {

/// Objects one behind the other, in chunks that are there once they are needed.
class Arena {
  public:
    static constexpr std::size_t kUnit = 8; ///< bytes; objects are numbered in them

    explicit Arena(HostPages::Copies copies) : copies_(copies) { clear(); }

    template <typename T>
    T& add(const T& value) {
        return *new (room(sizeof(T), alignof(T))) T(value);
    }
    /// At most kChunk bytes.
    template <typename T>
    std::span<const T> add_run(std::span<const T> values) {
        const std::span<T> run = add_run<T>(values.size());
        std::uninitialized_copy(values.begin(), values.end(), run.begin());
        return run;
    }
    /// Of objects that get their values later.
    template <typename T>
    std::span<T> add_run(std::size_t count) {
        return {static_cast<T*>(room(count * sizeof(T), alignof(T))), count};
    }

    /// The objects of the next `bytes`, of which the first is a T, lie one behind the other.
    template <typename T>
    void keep_together(std::size_t bytes) {
        make_room(bytes, alignof(T));
    }
    /// The place of the next object, a T, as a number, which is never 0. After keep_together().
    template <typename T>
    std::uint32_t next_number() const {
        static_assert(alignof(T) % kUnit == 0);
        return static_cast<std::uint32_t>((chunk_ * kChunk + used_) / kUnit);
    }
    template <typename T>
    T& object(std::uint32_t number) const {
        const std::size_t at = std::size_t{number} * kUnit;
        return *std::launder(reinterpret_cast<T*>(chunks_[at / kChunk].data() + at % kChunk));
    }

    /// Of an object in it.
    std::uint32_t number_of(const void* object) const {
        std::size_t chunk = chunk_;
        while (offset_in(chunk, object) >= kChunk) {
            --chunk;
        }
        return static_cast<std::uint32_t>((chunk * kChunk + offset_in(chunk, object)) / kUnit);
    }

    /// The next `bytes` will be written soon.
    void prefetch(std::size_t bytes) const {
        if (used_ + bytes <= kChunk) {
            for (std::size_t ahead = 0; ahead < bytes; ahead += kHostLine) {
                __builtin_prefetch(chunks_[chunk_].data() + used_ + ahead, 1);
            }
        }
    }

    std::size_t size() const { return chunk_ * kChunk + used_; }
    void clear() {
        chunk_ = 0;
        used_ = kUnit;
    }

  private:
    static constexpr std::size_t kChunk = std::size_t{8} << 20;

    std::uintptr_t offset_in(std::size_t chunk, const void* object) const {
        return reinterpret_cast<std::uintptr_t>(object) -
               reinterpret_cast<std::uintptr_t>(chunks_[chunk].data());
    }
    /// The next object is at used_.
    void make_room(std::size_t bytes, std::size_t alignment) {
        used_ = (used_ + alignment - 1) & ~(alignment - 1);
        if (used_ + bytes > kChunk) [[unlikely]] {
            ++chunk_;
            used_ = 0;
        }
        if (chunk_ == chunks_.size()) [[unlikely]] {
            // Short programs do with the first.
            chunks_.emplace_back(
                kChunk, chunk_ == 0 ? HostPages::Size::Usual : HostPages::Size::Large, copies_);
        }
    }
    void* room(std::size_t bytes, std::size_t alignment) {
        make_room(bytes, alignment);
        used_ += bytes;
        return chunks_[chunk_].data() + used_ - bytes;
    }

    HostPages::Copies copies_;
    std::vector<HostPages> chunks_;
    std::size_t chunk_ = 0; ///< in use
    std::size_t used_ = 0;  ///< bytes of it
};

/// A hash of both.
constexpr std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
    constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15; // 2^64 / golden ratio
    const std::uint64_t both = (one * kOdd ^ other) * kOdd;
    return both ^ both >> 32;
}

/// Objects of an arena by the hash of what they are looked for by.
template <typename T>
class HashIndex {
  public:
    HashIndex(const Arena& arena, HostPages::Copies copies) : HashIndex(arena, kFirst, copies) {}

    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots()[hash & mask()]); }
    /// The number of the object; 0 if none of this hash is the one.
    template <typename IsIt>
    std::uint32_t find_number(std::uint64_t hash, IsIt is_it) const {
        std::size_t at = hash & mask();
        while (slots()[at].number != 0 &&
               (slots()[at].hash != static_cast<std::uint32_t>(hash) ||
                !is_it(std::as_const(arena_.object<T>(slots()[at].number))))) {
            at = (at + 1) & mask();
        }
        return slots()[at].number;
    }
    /// Null: none.
    template <typename IsIt>
    T* find(std::uint64_t hash, IsIt is_it) const {
        const std::uint32_t number = find_number(hash, is_it);
        return number == 0 ? nullptr : &arena_.object<T>(number);
    }
    /// One that is not there, by its number in the arena.
    void add(std::uint64_t hash, std::uint32_t number) {
        if (2 * (size_ + 1) > count_) {
            grow();
        }
        place({.hash = static_cast<std::uint32_t>(hash), .number = number});
        ++size_;
    }
    void clear() {
        std::fill_n(slots(), count_, Slot{});
        size_ = 0;
    }
    std::size_t bytes() const { return count_ * sizeof(Slot); }

  private:
    struct Slot {
        std::uint32_t hash = 0; ///< its low bits, which choose the slot
        std::uint32_t number = 0;
    };
    static constexpr std::size_t kFirst = 4096;

    HashIndex(const Arena& arena, std::size_t count, HostPages::Copies copies)
        : arena_(arena), copies_(copies), count_(count),
          pages_(count * sizeof(Slot), HostPages::Size::Large, copies) {}

    Slot* slots() const { return reinterpret_cast<Slot*>(pages_.data()); }
    std::size_t mask() const { return count_ - 1; }
    void place(const Slot& slot) {
        std::size_t at = slot.hash & mask();
        while (slots()[at].number != 0) {
            at = (at + 1) & mask();
        }
        slots()[at] = slot;
    }
    void grow() {
        HashIndex larger(arena_, 2 * count_, copies_);
        for (const Slot& slot : std::span(slots(), count_)) {
            if (slot.number != 0) {
                larger.place(slot);
            }
        }
        pages_ = std::move(larger.pages_);
        count_ = larger.count_;
    }

    const Arena& arena_;
    HostPages::Copies copies_;
    std::size_t count_; ///< of slots, a power of two
    HostPages pages_;
    std::size_t size_ = 0; ///< slots in use
};

} // namespace pes
