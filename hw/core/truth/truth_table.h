// SPDX-License-Identifier: Apache-2.0
// The charges of a hart's run: one row for each instruction address in each privilege mode and
// address space, with its retirements, its cycles by reason and its events.
//
// Cycles are counted in halves, because two instructions may share a cycle.
#pragma once

#include "hw/common/event.h"
#include "hw/core/truth/cycle_reason.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
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
        std::uint64_t satp = 0; ///< 0: addresses are not translated
        bool operator==(const Context&) const = default;
    };
    struct Key {
        Context context;
        Address pc = 0;
    };

    /// The number of a context; 0 is machine mode.
    std::uint32_t number_of(const Context& context);
    TruthRow row(std::uint32_t context, Address pc);

    void add(const Charge& charge, std::uint64_t times) {
        value(charge.row, charge.column) +=
            times * static_cast<std::uint64_t>(std::int64_t{charge.amount});
    }

    const Key& key(TruthRow row) const { return keys_[row]; }
    std::uint64_t value(TruthRow row, std::uint16_t column) const {
        return (*chunks_[row / kChunk])[row % kChunk][column];
    }
    std::uint64_t half_cycles(TruthRow row) const;
    /// The rows that are not empty, by privilege, address space and address.
    std::vector<TruthRow> sorted_rows() const;

  private:
    static constexpr unsigned kPageBits = 12;
    static constexpr std::size_t kSlots = (std::size_t{1} << kPageBits) / 2; ///< one a half-word
    static constexpr std::size_t kChunk = 64;
    static constexpr TruthRow kNone = ~TruthRow{0};

    using Page = std::array<TruthRow, kSlots>;
    using Values = std::array<std::uint64_t, kColumns>;

    struct PageKey {
        std::uint32_t context;
        Address page;
        bool operator==(const PageKey&) const = default;
    };
    struct Hash {
        std::size_t operator()(const PageKey& key) const {
            return std::hash<Address>{}(key.page ^ Address{key.context} << 44);
        }
    };

    std::uint64_t& value(TruthRow row, std::uint16_t column) {
        return (*chunks_[row / kChunk])[row % kChunk][column];
    }
    TruthRow add_row(std::uint32_t context, Address pc);

    std::vector<Context> contexts_{Context{}};
    std::unordered_map<PageKey, std::unique_ptr<Page>, Hash> pages_;
    PageKey last_key_{~std::uint32_t{0}, 0}; ///< no page has this key
    Page* last_page_ = nullptr;
    std::vector<Key> keys_;
    std::vector<std::unique_ptr<std::array<Values, kChunk>>> chunks_;
};

} // namespace pes
