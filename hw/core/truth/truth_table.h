// SPDX-License-Identifier: Apache-2.0
// The charges of a hart's run: one row for each instruction address in each privilege mode and
// address space, with its retirements, its cycles by reason and its events.
//
// Cycles are counted in halves, because two instructions may share a cycle. Most instructions have
// few reasons and events, so the columns of a row are stored in groups, each when it is first used.
#pragma once

#include "hw/common/event.h"
#include "hw/core/truth/cycle_reason.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pes {

using TruthRow = std::uint32_t;

/// Adds to one number of a row.
struct Charge {
    TruthRow row = 0;
    std::uint16_t column = 0;
    std::int16_t amount = 0;
};

class TruthTable {
  public:
    static constexpr std::uint16_t kRetired = 0;
    static constexpr std::uint16_t kFirstReason = 1;
    static constexpr std::uint16_t kFirstEvent = kFirstReason + kCycleReasons;
    static constexpr std::size_t kColumns = kFirstEvent + kEventCount;

    static constexpr std::uint16_t column_of(CycleReason reason) {
        return static_cast<std::uint16_t>(kFirstReason + static_cast<std::size_t>(reason));
    }
    static constexpr std::uint16_t column_of(Event event) {
        return static_cast<std::uint16_t>(kFirstEvent + static_cast<std::size_t>(event));
    }

    /// What distinguishes instructions with the same address.
    struct Context {
        Privilege privilege = Privilege::Machine;
        std::uint64_t satp = 0; ///< 0: not translated; kEverySpace: in pages that are global
        bool operator==(const Context&) const = default;
    };
    /// satp of code whose mapping is global (PTE.G), and so the same in every address space: Sv39
    /// without ASID and page table.
    static constexpr std::uint64_t kEverySpace = std::uint64_t{8} << 60;
    struct Key {
        Context context;
        Address pc = 0;
    };

    /// The number of a context; 0 is machine mode.
    std::uint32_t number_of(const Context& context);
    TruthRow row(std::uint32_t context, Address pc);

    void add(const Charge& charge, std::uint64_t times) {
        add(charge.row, charge.column,
            times * static_cast<std::uint64_t>(std::int64_t{charge.amount}));
    }
    void add(TruthRow row, std::uint16_t column, std::uint64_t amount) {
        std::uint32_t& group = rows_[row][column / kGroup];
        if (group == 0) [[unlikely]] {
            group = add_group();
        }
        groups_[group][column % kGroup] += amount;
    }

    /// All numbers are 0 again; rows stay.
    void forget_values() {
        for (Group& group : groups_) {
            group.fill(0);
        }
    }

    Key key(TruthRow row) const {
        return {.context = contexts_[places_[row].context], .pc = places_[row].pc};
    }
    std::uint64_t value(TruthRow row, std::uint16_t column) const {
        return groups_[rows_[row][column / kGroup]][column % kGroup];
    }
    std::uint64_t half_cycles(TruthRow row) const;
    std::size_t rows() const { return rows_.size(); }
    std::size_t contexts() const { return contexts_.size(); }
    const Context& context(std::size_t number) const { return contexts_[number]; }
    /// Host memory that the rows take.
    std::size_t bytes() const {
        return pages_.size() * sizeof(Page) +
               places_.size() * (sizeof(Place) + sizeof(GroupsOfRow)) +
               groups_.size() * sizeof(Group);
    }
    /// Calls visit(row) for the rows that are not empty, by privilege, address space and address.
    /// Takes little memory, so that a run can still write its truth when the host's is used up.
    template <typename Visit>
    void each_row(Visit visit) const {
        for (const auto& [key, page] : sorted_pages()) {
            for (const TruthRow row : *page) {
                if (row != kNone && is_used(row)) {
                    visit(row);
                }
            }
        }
    }
    std::vector<TruthRow> sorted_rows() const;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr unsigned kPageBits = 12;
    static constexpr std::size_t kSlots = (std::size_t{1} << kPageBits) / 2; ///< one a half-word
    static constexpr std::size_t kGroup = 4;                                 ///< columns
    static constexpr std::size_t kGroups = (kColumns + kGroup - 1) / kGroup;
    static constexpr TruthRow kNone = ~TruthRow{0};

    using Page = std::array<TruthRow, kSlots>;
    using Group = std::array<std::uint64_t, kGroup>;
    using GroupsOfRow = std::array<std::uint32_t, kGroups>; ///< 0: all zero

    struct Place {
        Address pc;
        std::uint32_t context;
        void state(class Archive& archive);
    };
    struct PageKey {
        std::uint32_t context;
        Address page;
        bool operator==(const PageKey&) const = default;
    };
    struct Hash {
        std::size_t operator()(const PageKey& key) const {
            return std::hash<Address>{}(key.page ^ Address{key.context} << 44);
        }
        std::size_t operator()(const Context& context) const {
            return std::hash<std::uint64_t>{}(context.satp) ^
                   static_cast<std::size_t>(context.privilege);
        }
    };

    [[gnu::noinline]] std::uint32_t add_group() {
        groups_.emplace_back();
        return static_cast<std::uint32_t>(groups_.size() - 1);
    }
    bool is_used(TruthRow row) const;
    std::vector<std::pair<PageKey, const Page*>> sorted_pages() const;
    TruthRow add_row(std::uint32_t context, Address pc);

    std::vector<Context> contexts_{Context{}};
    std::unordered_map<Context, std::uint32_t, Hash> numbers_{{Context{}, 0}};
    std::unordered_map<PageKey, std::unique_ptr<Page>, Hash> pages_;
    PageKey last_key_{~std::uint32_t{0}, 0}; ///< no page has this key
    Page* last_page_ = nullptr;
    std::deque<Place> places_; ///< by row
    std::deque<GroupsOfRow> rows_;
    std::deque<Group> groups_{Group{}}; ///< the first one is that of all zeros
};

} // namespace pes
