// SPDX-License-Identifier: Apache-2.0
// The addresses of buffered stores, part of Tables: finds the buffered store or write transaction
// that matches an access. Ages count from 1, the youngest.
// This class holds addresses only, and no time; write_buffer.h knows how many entries are still
// buffered, and in which state.
#pragma once

#include "hw/core/timing/tables/write_pieces.h"
#include "hw/interface/types.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pes {

class BufferedStores {
  public:
    explicit BufferedStores(unsigned line_bytes)
        : line_shift_(static_cast<unsigned>(std::countr_zero(line_bytes / 8))) {}

    /// The age of the youngest of the last `count` stores that a load of this address waits for,
    /// since bits 11:3 are the same; 0: none.
    std::uint64_t conflicting(Address physical, std::uint64_t count) const {
        const Address word = conflict_word(physical);
        for (std::uint64_t age = 1; age <= count; ++age) {
            if (stores_[(store_count_ - age) % kStores] == word) {
                return age;
            }
        }
        return 0;
    }

    /// The age of the youngest of the writes `ages` (bit n = age n) that goes to the same double
    /// word, cache line or device; 0: none.
    std::uint64_t find_word(Address physical, std::uint64_t ages) const {
        const bool is_last = (ages & 2) != 0 && write(1) >> kWordShift == physical / 8;
        return is_last ? 1 : find(physical, ages & possible(physical), 0);
    }
    std::uint64_t find_line(Address physical, std::uint64_t ages) const {
        return find(physical, ages, line_shift_);
    }
    std::uint64_t find_device(Address physical, std::uint64_t ages) const {
        return find(physical, ages, kDeviceShift);
    }

    // Arguments and answers as those of Query::PushWrite, JoinWrite and DropWrite (questions.h).
    // Out of line, because they would make every caller of Tables::answer() larger and slower.
    [[gnu::noinline]] std::uint64_t push(Address physical, std::uint64_t argument);
    [[gnu::noinline]] std::uint64_t join(Address physical, std::uint64_t argument);
    void drop(std::uint64_t age);

    /// For native code: what conflicting(), find_word() and push() look at.
    using Write = std::uint64_t; ///< see writes_
    static constexpr std::size_t kStores = 8;
    static constexpr std::size_t kWrites = 32;
    static constexpr Address kConflictMask = 0x1FF;
    static constexpr unsigned kSizeBits = 8;
    static constexpr unsigned kWordShift = kSizeBits + 3;
    struct Parts {
        std::uint16_t* stores; ///< a ring of kStores
        std::uint64_t* store_count;
        Write* writes; ///< a ring of kWrites
        std::uint64_t* write_count;
        std::uint64_t* young; ///< see young_
    };
    Parts parts() {
        return {.stores = stores_.data(),
                .store_count = &store_count_,
                .writes = writes_.data(),
                .write_count = &write_count_,
                .young = &young_};
    }
    static constexpr std::size_t kYoung = sizeof(std::uint64_t);
    /// 32 bits of a double word's number times this: the highest byte is its tag.
    static constexpr std::uint32_t kTagFactor = 0x9E37'79B1;
    static constexpr unsigned kTagShift = 24;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr unsigned kDeviceShift = 21; ///< of a double word's number: 16 MiB a device

    static std::uint64_t tag(std::uint64_t double_word) {
        return static_cast<std::uint32_t>(double_word) * kTagFactor >> kTagShift;
    }
    static Address conflict_word(Address physical) { return (physical >> 3) & kConflictMask; }

    static bool same_word(Write one, Write other) { return (one ^ other) >> kWordShift == 0; }
    static ByteMask bytes_left(Write write) {
        const auto low = static_cast<ByteMask>(write);
        return std::has_single_bit(low) ? written_bytes(write >> kSizeBits, low) : low;
    }
    static void set_bytes(Write& write, ByteMask left) {
        const auto offset = static_cast<unsigned>(std::countr_zero(left));
        write = write >> kWordShift << kWordShift;
        write |= std::has_single_bit(left) ? offset << kSizeBits | 1U : left;
    }
    Write& write(std::uint64_t age) { return writes_[(write_count_ - age) % kWrites]; }
    Write write(std::uint64_t age) const { return writes_[(write_count_ - age) % kWrites]; }
    /// `shift` from the number of a double word to what is compared.
    [[gnu::always_inline]] std::uint64_t find(Address physical, std::uint64_t ages,
                                              unsigned shift) const {
        const Address wanted = physical / 8 >> shift;
        for (; ages != 0; ages &= ages - 1) {
            const auto age = static_cast<std::uint64_t>(std::countr_zero(ages));
            if (write(age) >> (kWordShift + shift) == wanted) {
                return age;
            }
        }
        return 0;
    }
    /// The ages of writes that may go to the same double word.
    std::uint64_t possible(Address physical) const;
    void note_young();
    std::uint64_t push_pieces(std::uint64_t age);
    void push_store(Address physical) {
        stores_[store_count_++ % kStores] = static_cast<std::uint16_t>(conflict_word(physical));
    }

    std::array<std::uint16_t, kStores> stores_{}; ///< address bits 11:3 of the last ones
    std::uint64_t store_count_ = 0;
    /// The last write transactions: of each an address above kSizeBits, and below it the size of
    /// what is left to send from that address, or, if the bytes are in several pieces, their mask
    /// in the double word.
    std::array<Write, kWrites> writes_{};
    std::uint64_t write_count_ = 0;
    /// The tags of the last kYoung writes, the youngest in the lowest byte: most accesses meet none
    /// of them, and one comparison says so.
    std::uint64_t young_ = 0;
    unsigned line_shift_; ///< of a double word's number
};

} // namespace pes
