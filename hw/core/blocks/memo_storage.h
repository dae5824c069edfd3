// SPDX-License-Identifier: Apache-2.0
// Where the memo keeps its parts: side by side in the order in which they come, so that what is
// read together lies together. They do not move, come without an allocation each, and go all at
// once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace pes {

/// Memory of the host in large pages, if it has some: what lies in hundreds of megabytes is mostly
/// not in its TLB. Zero at first, and takes room only where it has been written.
class LargePages {
  public:
    explicit LargePages(std::size_t bytes);
    std::byte* data() const { return data_.get(); }
    std::size_t size() const { return data_.get_deleter().bytes; }

  private:
    struct Unmap {
        std::size_t bytes = 0;
        void operator()(std::byte* pages) const;
    };
    std::unique_ptr<std::byte, Unmap> data_;
};

/// Objects one behind the other. The owner asks size() often enough: what exceeds the capacity by
/// more than kSpare aborts.
class Arena {
  public:
    static constexpr std::size_t kSpare = std::size_t{4} << 20;

    explicit Arena(std::size_t capacity) : pages_(capacity + kSpare) { clear(); }

    template <typename T>
    T& add(const T& value) {
        return *new (room(sizeof(T), alignof(T))) T(value);
    }
    template <typename T>
    std::span<const T> add_run(std::span<const T> values) {
        T* const first = static_cast<T*>(room(values.size_bytes(), alignof(T)));
        std::uninitialized_copy(values.begin(), values.end(), first);
        return {first, values.size()};
    }

    /// An object as a number, which is never 0.
    template <typename T>
    std::uint32_t number(const T& object) const {
        static_assert(alignof(T) % kUnit == 0);
        const auto* const at = reinterpret_cast<const std::byte*>(&object);
        return static_cast<std::uint32_t>(static_cast<std::size_t>(at - pages_.data()) / kUnit);
    }
    template <typename T>
    T& object(std::uint32_t number) const {
        return *std::launder(reinterpret_cast<T*>(pages_.data() + std::size_t{number} * kUnit));
    }

    std::size_t size() const { return used_; }
    void clear() { used_ = kUnit; }

  private:
    static constexpr std::size_t kUnit = 16; ///< of numbers

    void* room(std::size_t bytes, std::size_t alignment) {
        const std::size_t first = (used_ + alignment - 1) & ~(alignment - 1);
        used_ = first + bytes;
        if (used_ > pages_.size()) [[unlikely]] {
            overflow();
        }
        return pages_.data() + first;
    }
    [[noreturn]] static void overflow();

    LargePages pages_;
    std::size_t used_ = 0;
};

/// Objects by the hash of what they are looked for by.
template <typename T>
class HashIndex {
  public:
    HashIndex() : HashIndex(kFirst) {}

    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots()[hash & mask()]); }
    /// Null if no object of this hash is the one.
    template <typename IsIt>
    T* find(std::uint64_t hash, IsIt is_it) const {
        for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots()[at];
            if (slot.object == nullptr) {
                return nullptr;
            }
            if (slot.hash == hash && is_it(*slot.object)) {
                return slot.object;
            }
        }
    }
    /// One that is not there.
    void add(std::uint64_t hash, T& object) {
        if (2 * (size_ + 1) > count_) {
            grow();
        }
        place({.hash = hash, .object = &object});
        ++size_;
    }
    void clear() {
        std::fill_n(slots(), count_, Slot{});
        size_ = 0;
    }
    std::size_t bytes() const { return count_ * sizeof(Slot); }

  private:
    struct Slot {
        std::uint64_t hash = 0;
        T* object = nullptr;
    };
    static constexpr std::size_t kFirst = 4096;

    explicit HashIndex(std::size_t count) : count_(count), pages_(count * sizeof(Slot)) {}

    Slot* slots() const { return reinterpret_cast<Slot*>(pages_.data()); }
    std::size_t mask() const { return count_ - 1; }
    void place(const Slot& slot) {
        std::size_t at = slot.hash & mask();
        while (slots()[at].object != nullptr) {
            at = (at + 1) & mask();
        }
        slots()[at] = slot;
    }
    void grow() {
        HashIndex larger(2 * count_);
        for (const Slot& slot : std::span(slots(), count_)) {
            if (slot.object != nullptr) {
                larger.place(slot);
            }
        }
        pages_ = std::move(larger.pages_);
        count_ = larger.count_;
    }
    std::size_t count_; ///< of slots, a power of two
    LargePages pages_;
    std::size_t size_ = 0; ///< slots in use
};

} // namespace pes
