// SPDX-License-Identifier: Apache-2.0
// A fully associative TLB with tree pseudo-LRU replacement, as in CVA6: every hit updates the tree,
// and a fill replaces the entry that the tree selects, valid or not. Entries hold pages of 4 KiB,
// 2 MiB or 1 GiB, tagged with the ASID unless global.
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace pes {

/// Page-table entry bits (Sv39).
namespace pte {
inline constexpr std::uint64_t kV = 1U << 0, kR = 1U << 1, kW = 1U << 2, kX = 1U << 3, kU = 1U << 4,
                               kG = 1U << 5, kA = 1U << 6, kD = 1U << 7;
inline constexpr std::uint64_t kReserved = ~((std::uint64_t{1} << 54) - 1);
inline constexpr unsigned kPpnShift = 10;
inline constexpr std::uint64_t kPpnMask = (std::uint64_t{1} << 44) - 1;
} // namespace pte

struct TlbEntry {
    std::uint64_t page = 0;      ///< virtual address >> 12, low bits of superpages are zero
    std::uint64_t page_mask = 0; ///< bits of the virtual page number that are compared
    std::uint64_t leaf = 0;      ///< the leaf PTE
    std::uint16_t asid = 0;
    bool global = false; ///< G in the leaf or in a pointer to its table
    bool valid = false;

    bool matches(std::uint64_t virtual_page, std::uint16_t of_asid) const {
        // What mostly differs comes first.
        return ((virtual_page ^ page) & page_mask) == 0 && valid && (asid == of_asid || global);
    }
    /// True if some address matches both.
    bool overlaps(const TlbEntry& other) const {
        return ((page ^ other.page) & page_mask & other.page_mask) == 0 && valid && other.valid &&
               (asid == other.asid || global || other.global);
    }
    Address physical(Address address) const {
        const std::uint64_t ppn = (leaf >> pte::kPpnShift) & pte::kPpnMask;
        const std::uint64_t virtual_page = address >> 12;
        return ((ppn | (virtual_page & ~page_mask)) << 12) | (address & 0xFFF);
    }
};

class Tlb {
  public:
    static constexpr unsigned kMaxEntries = 64;

    /// `entries` is a power of two, 2..64.
    explicit Tlb(unsigned entries);

    /// The first matching entry, or null. `page` is the virtual address >> 12.
    const TlbEntry* lookup(std::uint64_t page, std::uint16_t asid) {
        if (!overlapping_ && entry_[last_].matches(page, asid)) {
            return &entry_[last_]; // touching the same entry twice leaves the tree as it is
        }
        return lookup_all(page, asid);
    }
    /// As lookup(), but does not update the tree.
    const TlbEntry* find(std::uint64_t page, std::uint16_t asid) const {
        for (const unsigned likely : {last_, unsigned{hints_[page % kHints]}}) {
            if (!overlapping_ && entry_[likely].matches(page, asid)) {
                return &entry_[likely];
            }
        }
        const auto* const end = entry_.begin() + entries_;
        const auto* const found = std::find_if(
            entry_.begin(), end, [=](const TlbEntry& entry) { return entry.matches(page, asid); });
        return found == end ? nullptr : found;
    }
    /// Of a page that lookup() does not find.
    void insert(const TlbEntry& entry);
    /// In the place of the entry that lookup() has just found.
    void replace(const TlbEntry& entry);
    /// Entries may match the same address, since software has mapped it anew without a fence.
    bool overlapping() const { return overlapping_; }
    /// sfence.vma: both empty = everything; an ASID spares global entries. Returns what was valid
    /// before, bit n = entry n.
    std::uint64_t flush(std::optional<Address> address, std::optional<std::uint16_t> asid);

    /// The nodes of the tree on the way to an entry.
    struct Path {
        std::uint64_t zeros = 0; ///< nodes that the entry lies to the left of
        std::uint64_t ones = 0;  ///< ... to the right
    };
    const Path& path(unsigned index) const { return path_[index]; }
    /// The entry that was found or filled last, and what it holds.
    unsigned last() const { return last_; }
    const TlbEntry& last_entry() const { return entry_[last_]; }
    /// As a lookup() that finds the page in this entry.
    void touch(unsigned index, const Path& path) {
        tree_ = (tree_ & ~path.ones) | path.zeros;
        last_ = index;
    }
    /// For native code: what touch() changes.
    struct Parts {
        std::uint64_t* tree;
        unsigned* last;
    };
    Parts parts() { return {.tree = &tree_, .last = &last_}; }
    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kHints = 64;
    static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

    const TlbEntry* lookup_all(std::uint64_t page, std::uint16_t asid);
    std::optional<unsigned> first_match(std::uint64_t page, std::uint16_t asid);
    /// Every node on the way from the root is made to point away from the entry.
    void touch(unsigned index) { touch(index, path_[index]); }
    unsigned victim() const;
    bool overlaps_others(unsigned index) const;

    unsigned entries_;
    unsigned last_ = 0;
    bool overlapping_ = false;
    std::uint64_t tree_ = 0; ///< bit n = node n of the tree, root = node 1
    std::array<Path, kMaxEntries> path_{};
    std::array<TlbEntry, kMaxEntries> entry_{};
    /// Where a page was found, for the ASID that was looked up last; any other place is allowed.
    std::array<std::uint8_t, kHints> hints_{};
    std::uint16_t hints_asid_ = 0;
    /// No entry has this page: it is looked up again before and after its walk.
    std::uint64_t absent_page_ = kNoPage;
    std::uint16_t absent_asid_ = 0;
};

} // namespace pes
