// SPDX-License-Identifier: Apache-2.0
#include "hw/core/truth/truth_table.h"

#include <algorithm>
#include <tuple>

namespace pes {

std::uint32_t TruthTable::number_of(const Context& context) {
    const auto found = std::ranges::find(contexts_, context);
    const auto number = static_cast<std::uint32_t>(found - contexts_.begin());
    if (found == contexts_.end()) {
        contexts_.push_back(context);
    }
    return number;
}

TruthRow TruthTable::row(std::uint32_t context, Address pc) {
    const PageKey key{context, pc >> kPageBits};
    if (key != last_key_) {
        std::unique_ptr<Page>& page = pages_[key];
        if (!page) {
            page = std::make_unique<Page>();
            page->fill(kNone);
        }
        last_key_ = key;
        last_page_ = page.get();
    }
    TruthRow& row = (*last_page_)[(pc >> 1) % kSlots];
    if (row == kNone) {
        row = add_row(context, pc);
    }
    return row;
}

TruthRow TruthTable::add_row(std::uint32_t context, Address pc) {
    if (keys_.size() % kChunk == 0) {
        chunks_.push_back(std::make_unique<std::array<Values, kChunk>>());
    }
    keys_.push_back({contexts_[context], pc});
    return static_cast<TruthRow>(keys_.size() - 1);
}

std::uint64_t TruthTable::half_cycles(TruthRow row) const {
    std::uint64_t sum = 0;
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        sum += value(row, column_of(static_cast<CycleReason>(reason)));
    }
    return sum;
}

std::vector<TruthRow> TruthTable::sorted_rows() const {
    std::vector<TruthRow> rows;
    for (TruthRow row = 0; row < keys_.size(); ++row) {
        const Values& values = (*chunks_[row / kChunk])[row % kChunk];
        if (std::ranges::any_of(values, [](std::uint64_t value) { return value != 0; })) {
            rows.push_back(row);
        }
    }
    std::ranges::sort(rows, {}, [this](TruthRow row) {
        const Key& key = keys_[row];
        return std::tuple(key.context.privilege, key.context.satp, key.pc);
    });
    return rows;
}

} // namespace pes
