// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/pmu_map.h"

namespace pes {

namespace {

/// Counters 0 to 2 are fixed: no selector reaches them.
constexpr uint32_t kProgrammable = ~uint32_t{7};

/// SBI 3.0, raw events of type 3: bits 63:56 of mhpmevent, which are OF and the filters, are the
/// firmware's, whatever a row's mask leaves open.
constexpr uint64_t kRawV2Bits = (uint64_t{1} << 56) - 1;

constexpr uint64_t wide(uint32_t high, uint32_t low) {
    return uint64_t{high} << 32 | low;
}

template <typename Row>
bool append(Row* rows, unsigned& count, const Row& row) {
    if (count == PmuMap::kMostRows) {
        return false;
    }
    rows[count++] = row;
    return true;
}

} // namespace

void PmuMap::clear() {
    range_count_ = 0;
    selector_count_ = 0;
    raw_count_ = 0;
}

bool PmuMap::add(const Range& range) {
    return append(ranges_, range_count_, range);
}

bool PmuMap::add(const SbiEventRow& selector) {
    return append(selectors_, selector_count_, selector);
}

bool PmuMap::add(const Raw& raw) {
    return append(raws_, raw_count_, raw);
}

bool PmuMap::read(const FlatTree& tree) {
    clear();
    bool all = true;
    const FlatTree::Node pmu = tree.find_compatible("riscv,pmu");
    const FlatTree::Property selectors = tree.property(pmu, "riscv,event-to-mhpmevent");
    for (uint32_t i = 0; i + 3 <= selectors.cell_count(); i += 3) {
        all = add(SbiEventRow{selectors.cell(i),
                              wide(selectors.cell(i + 1), selectors.cell(i + 2))}) &&
              all;
    }
    const FlatTree::Property ranges = tree.property(pmu, "riscv,event-to-mhpmcounters");
    for (uint32_t i = 0; i + 3 <= ranges.cell_count(); i += 3) {
        all = add(Range{ranges.cell(i), ranges.cell(i + 1), ranges.cell(i + 2) & kProgrammable}) &&
              all;
    }
    const FlatTree::Property raws = tree.property(pmu, "riscv,raw-event-to-mhpmcounters");
    for (uint32_t i = 0; i + 5 <= raws.cell_count(); i += 5) {
        all =
            add(Raw{wide(raws.cell(i), raws.cell(i + 1)), wide(raws.cell(i + 2), raws.cell(i + 3)),
                    raws.cell(i + 4) & kProgrammable}) &&
            all;
    }
    return all;
}

void PmuMap::read(const PmuProfile& profile, bool sampling) {
    clear();
    const auto there = [&profile, sampling](uint64_t selector) {
        const EventRow* row = find_selector(profile, selector);
        return row == nullptr || sampling || row->origin == EventOrigin::Core;
    };
    for (size_t i = 0; i < profile.sbi_event_count; ++i) {
        const SbiEventRow& row = profile.sbi_events[i];
        if (there(row.selector)) {
            add(Range{row.event, row.event, kProgrammable});
            add(row);
        }
    }
    for (size_t i = 0; i < profile.raw_event_count; ++i) {
        add(Raw{profile.raw_events[i].select, profile.raw_events[i].mask, kProgrammable});
    }
    if (profile.raw_event_count != 0) {
        return;
    }
    for (const EventRow& row : profile) {
        if (row.kind() != EventClass::None && there(row.selector)) {
            add(Raw{row.selector, ~uint64_t{0}, kProgrammable});
        }
    }
}

PmuMap::Choice PmuMap::find(uint32_t event) const {
    Choice choice{0, event}; // OpenSBI: the event itself, if there is no row for it
    for (unsigned i = 0; i < range_count_ && choice.counters == 0; ++i) {
        if (ranges_[i].first <= event && event <= ranges_[i].last) {
            choice.counters = ranges_[i].counters;
        }
    }
    for (unsigned i = 0; i < selector_count_; ++i) {
        if (selectors_[i].event == event) {
            choice.selector = selectors_[i].selector;
            break;
        }
    }
    return choice;
}

uint32_t PmuMap::raw_counters(uint64_t selector) const {
    if ((selector & ~kRawV2Bits) != 0) {
        return 0;
    }
    for (unsigned i = 0; i < raw_count_; ++i) {
        if ((selector & raws_[i].mask) == raws_[i].select) {
            return raws_[i].counters;
        }
    }
    return 0;
}

} // namespace pes
