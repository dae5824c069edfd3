// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/program/filter_unit.h"

#include "hw/interface/maps/exceptions.h"
#include "hw/interface/riscv/instruction_class.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace pes::trace {
namespace {

constexpr std::uint64_t kCauses = 64; ///< that a filter can choose

bool holds(CompareFunction function, std::uint64_t input, std::uint64_t value) {
    switch (function) {
    case CompareFunction::Equal:
        return input == value;
    case CompareFunction::NotEqual:
        return input != value;
    case CompareFunction::Less:
        return input < value;
    case CompareFunction::LessOrEqual:
        return input <= value;
    case CompareFunction::Greater:
        return input > value;
    case CompareFunction::GreaterOrEqual:
        return input >= value;
    case CompareFunction::Special:
        return false;
    case CompareFunction::Always:
        return true;
    }
    return false;
}

/// The trap with which a filter's match by cause begins.
bool begins(const FilterSettings& filter, bool interrupt, std::uint64_t cause) {
    if (filter.by_interrupt && filter.interrupts != interrupt) {
        return false;
    }
    return !filter.by_cause || (cause < kCauses && (filter.causes >> cause & 1) != 0);
}

bool follows_traps(const FilterSettings& filter) {
    return filter.by_cause || filter.by_interrupt;
}

std::uint8_t used_comparators(const TraceFilters& settings) {
    unsigned used = 0;
    for (std::size_t index = 0; index < settings.filters.size(); ++index) {
        const FilterSettings& filter = settings.filters[index];
        for (const FilterSettings::Ask& ask : filter.asks) {
            const bool counts = (settings.selected >> index & 1) != 0 && filter.enable && ask.match;
            used |= counts ? 1U << ask.comparator : 0;
        }
    }
    for (std::size_t index = 0; index < settings.comparators.size(); ++index) {
        used |= settings.comparators[index].notifies() ? 1U << index : 0;
    }
    return static_cast<std::uint8_t>(used);
}

} // namespace

void FilterUnit::configure(const TraceFilters& settings) {
    settings_ = settings;
    used_ = used_comparators(settings);
}

void FilterUnit::reset() {
    latches_ = 0;
    for (std::size_t index = 0; index < settings_.comparators.size(); ++index) {
        const ComparatorSettings& comparator = settings_.comparators[index];
        if (comparator.mode == MatchMode::Latch &&
            comparator.primary.function == CompareFunction::Special) {
            latches_ |= static_cast<std::uint8_t>(1U << index);
        }
    }
    trap_value_ = 0;
    nesting_.fill(0);
    note_nesting();
}

void FilterUnit::note_nesting() {
    nested_ = std::ranges::any_of(nesting_, [](Nesting nesting) { return nesting != 0; });
}

void FilterUnit::trapped(const TrapTaken& trap) {
    trap_value_ = trap.tval;
    const bool interrupt = (trap.cause & kInterruptBit) != 0;
    for (std::size_t index = 0; index < settings_.filters.size(); ++index) {
        const FilterSettings& filter = settings_.filters[index];
        Nesting& nesting = nesting_[index];
        if (follows_traps(filter) &&
            (nesting != 0 || begins(filter, interrupt, trap.cause & ~kInterruptBit)) &&
            nesting != std::numeric_limits<Nesting>::max()) {
            ++nesting;
        }
    }
    note_nesting();
}

FilterUnit::Verdict FilterUnit::retired(const Retirement& retirement) {
    std::uint8_t outputs = 0;
    bool notify = false;
    for (unsigned left = used_; left != 0; left &= left - 1) {
        const auto index = static_cast<unsigned>(std::countr_zero(left));
        const Result result = compare(index, retirement.pc);
        outputs |= static_cast<std::uint8_t>(unsigned{result.output} << index);
        notify = notify || result.notify;
    }
    bool traced = settings_.selected == 0;
    for (unsigned left = settings_.selected; left != 0 && !traced; left &= left - 1) {
        traced = matches(static_cast<unsigned>(std::countr_zero(left)), retirement, outputs);
    }
    if (nested_ && may_leave_sequence(retirement.raw) &&
        classify_flow(retirement.raw).kind == FlowKind::TrapReturn) {
        for (Nesting& nesting : nesting_) {
            nesting = static_cast<Nesting>(nesting - (nesting != 0 ? 1 : 0));
        }
        note_nesting();
    }
    return {.traced = traced, .notify = notify && traced};
}

std::uint64_t FilterUnit::input(CompareInput which, Address pc) const {
    return which == CompareInput::Address ? pc : trap_value_;
}

FilterUnit::Result FilterUnit::compare(std::size_t index, Address pc) {
    const auto& [primary, secondary, mode] = settings_.comparators[index];
    const bool masks = secondary.function == CompareFunction::Special;
    const std::uint64_t mask = masks ? secondary.value : ~std::uint64_t{0};
    const bool first =
        holds(primary.function, input(primary.input, pc) & mask, primary.value & mask);
    const bool second =
        masks || holds(secondary.function, input(secondary.input, pc), secondary.value);
    const auto reports = [](const Comparison& comparison, bool result) {
        return comparison.notify && comparison.input == CompareInput::Address && result;
    };
    Result result{.notify = reports(primary, first) || reports(secondary, second)};
    switch (mode) {
    case MatchMode::Primary:
        result.output = first;
        break;
    case MatchMode::Both:
        result.output = first && second;
        break;
    case MatchMode::NotBoth:
        result.output = !(first && second);
        break;
    case MatchMode::Latch: {
        const auto bit = static_cast<std::uint8_t>(1U << index);
        result.output = first || (latches_ & bit) != 0;
        const bool stays = result.output && !second;
        latches_ = static_cast<std::uint8_t>(stays ? latches_ | bit : latches_ & ~bit);
        break;
    }
    }
    return result;
}

bool FilterUnit::matches(std::size_t index, const Retirement& retirement,
                         std::uint8_t outputs) const {
    const FilterSettings& filter = settings_.filters[index];
    if (!filter.enable || (follows_traps(filter) && nesting_[index] == 0)) {
        return false;
    }
    if (filter.by_privilege &&
        (filter.privileges >> static_cast<unsigned>(retirement.privilege) & 1) == 0) {
        return false;
    }
    return std::ranges::all_of(filter.asks, [outputs](const FilterSettings::Ask& ask) {
        return !ask.match || (outputs >> ask.comparator & 1) != 0;
    });
}

void FilterUnit::state(Archive& archive) {
    archive(settings_, latches_, trap_value_, nesting_);
    used_ = used_comparators(settings_);
    note_nesting();
}

} // namespace pes::trace
