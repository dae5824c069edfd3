// SPDX-License-Identifier: Apache-2.0
#include "hw/core/truth/truth_table.h"

#include <algorithm>
#include <tuple>

namespace pes {

std::uint32_t TruthTable::number_of(const Context& context) {
    const auto number = static_cast<std::uint32_t>(contexts_.size());
    const auto [known, added] = numbers_.try_emplace(context, number);
    if (added) {
        contexts_.push_back(context);
    }
    return known->second;
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
    rows_.emplace_back();
    places_.push_back({.pc = pc, .context = context});
    return static_cast<TruthRow>(places_.size() - 1);
}

std::uint64_t TruthTable::half_cycles(TruthRow row) const {
    std::uint64_t sum = 0;
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        sum += value(row, column_of(static_cast<CycleReason>(reason)));
    }
    return sum;
}

bool TruthTable::is_used(TruthRow row) const {
    return std::ranges::any_of(rows_[row],
                               [this](std::uint32_t group) { return groups_[group] != Group{}; });
}

std::vector<std::pair<TruthTable::PageKey, const TruthTable::Page*>>
TruthTable::sorted_pages() const {
    std::vector<std::pair<PageKey, const Page*>> pages;
    pages.reserve(pages_.size());
    for (const auto& [key, page] : pages_) {
        pages.emplace_back(key, page.get());
    }
    std::ranges::sort(pages, {}, [this](const auto& page) {
        const Context& context = contexts_[page.first.context];
        return std::tuple(context.privilege, context.satp, page.first.page);
    });
    return pages;
}

std::vector<TruthRow> TruthTable::sorted_rows() const {
    std::vector<TruthRow> rows;
    each_row([&rows](TruthRow row) { rows.push_back(row); });
    return rows;
}

} // namespace pes
