// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/filter_model.h"

#include <array>

namespace pes::trace::test {
namespace {

constexpr Address kInstFilters = 0x00C;
constexpr Address kFilter = 0x400, kComparator = 0x600, kUnit = 0x20;

bool compared(std::uint64_t function, std::uint64_t input, std::uint64_t value) {
    const std::array results{input == value, input != value,
                             input<value, input <= value, input> value, input >= value};
    return results.at(function);
}

bool returns_from_trap(std::uint32_t raw) {
    return raw == 0x30200073 || raw == 0x10200073; // mret, sret
}

} // namespace

std::uint64_t FilterModel::field(Address offset, unsigned from, unsigned bits) const {
    const auto found = registers_.find(offset);
    const std::uint64_t value = found == registers_.end() ? 0 : found->second;
    return value >> from & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t FilterModel::wide(Address low) const {
    return field(low + 4, 0, 32) << 32 | field(low, 0, 32);
}

std::vector<bool> FilterModel::traced() const {
    std::vector<bool> list;
    bool last = false;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
        last = steps_[step].trap ? last : qualifies(step);
        list.push_back(last);
    }
    return list;
}

bool FilterModel::qualifies(std::size_t step) const {
    if (field(kInstFilters, 0, 16) == 0) {
        return true;
    }
    for (unsigned filter = 0; filter < 16; ++filter) {
        if (field(kInstFilters, filter, 1) != 0 && filter_matches(filter, step)) {
            return true;
        }
    }
    return false;
}

bool FilterModel::filter_matches(unsigned filter, std::size_t step) const {
    const Address control = kFilter + kUnit * filter;
    if (field(control, 0, 1) == 0) {
        return false;
    }
    const auto mode = static_cast<unsigned>(steps_[step].retirement.privilege);
    if (field(control, 1, 1) != 0 && field(control + 4, mode, 1) == 0) {
        return false;
    }
    if (field(control, 2, 2) != 0 && !in_matching_trap(filter, step)) {
        return false;
    }
    for (const unsigned at : {4U, 8U, 12U}) {
        if (field(control, at, 1) != 0 &&
            !output(static_cast<unsigned>(field(control, at + 1, 3)), step)) {
            return false;
        }
    }
    return true;
}

/// With a stack of the traps that have not returned.
bool FilterModel::in_matching_trap(unsigned filter, std::size_t step) const {
    const Address control = kFilter + kUnit * filter;
    std::vector<bool> open;
    for (std::size_t past = 0; past < step; ++past) {
        if (!steps_[past].trap) {
            if (returns_from_trap(steps_[past].retirement.raw) && !open.empty()) {
                open.pop_back();
            }
            continue;
        }
        const std::uint64_t cause = steps_[past].taken.cause;
        bool fits = true;
        if (field(control, 2, 1) != 0) {
            fits = (wide(control + 8) >> (cause & 63) & 1) != 0;
        }
        if (field(control, 3, 1) != 0) {
            fits = fits && field(control + 4, 8, 1) == cause >> 63;
        }
        open.push_back(fits);
    }
    for (const bool fits : open) {
        if (fits) {
            return true;
        }
    }
    return false;
}

bool FilterModel::output(unsigned comparator, std::size_t step) const {
    const Address control = kComparator + kUnit * comparator;
    switch (field(control, 12, 2)) {
    case 0:
        return primary(comparator, step);
    case 1:
        return primary(comparator, step) && secondary(comparator, step);
    case 2:
        return !(primary(comparator, step) && secondary(comparator, step));
    default:
        break;
    }
    // Set by an instruction here or before, without one in between behind which it ends.
    if (primary(comparator, step)) {
        return true;
    }
    while (step-- > 0) {
        if (steps_[step].trap) {
            continue;
        }
        if (secondary(comparator, step)) {
            return false;
        }
        if (primary(comparator, step)) {
            return true;
        }
    }
    return field(control, 4, 3) == 6; // primed
}

bool FilterModel::primary(unsigned comparator, std::size_t step) const {
    const Address control = kComparator + kUnit * comparator;
    const std::uint64_t function = field(control, 4, 3);
    if (function >= 6) {
        return function == 7;
    }
    const std::uint64_t mask = field(control, 8, 3) == 6 ? wide(control + 0x18) : ~std::uint64_t{0};
    return compared(function, input(field(control, 0, 2), step) & mask,
                    wide(control + 0x10) & mask);
}

bool FilterModel::secondary(unsigned comparator, std::size_t step) const {
    const Address control = kComparator + kUnit * comparator;
    const std::uint64_t function = field(control, 8, 3);
    return function >= 6 ||
           compared(function, input(field(control, 2, 2), step), wide(control + 0x18));
}

std::uint64_t FilterModel::input(std::uint64_t which, std::size_t step) const {
    if (which == 0) {
        return steps_[step].retirement.pc;
    }
    while (step-- > 0) {
        if (steps_[step].trap) {
            return steps_[step].taken.tval;
        }
    }
    return 0;
}

// --- Random values -------------------------------------------------------------------------------

FilterModel::Registers random_filters(std::mt19937_64& random, const std::vector<Step>& steps,
                                      unsigned filters, unsigned comparators) {
    const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
    const auto value = [&](std::uint64_t which) -> std::uint64_t {
        if (which == 2) {
            return random() % 4; // as vary_traps() has them
        }
        const Step& step = steps[random() % steps.size()];
        return step.trap ? step.taken.epc : step.retirement.pc;
    };
    FilterModel::Registers registers;
    // Few, since each lets more through.
    registers[kInstFilters] = chance(95) ? 1U << random() % filters | 1U << random() % filters : 0U;
    for (unsigned f = 0; f < filters; ++f) {
        const Address at = kFilter + kUnit * f;
        std::uint32_t control = chance(90) ? 1 : 0;
        control |= chance(35) ? 2 : 0;
        control |= chance(10) ? 4 : 0;
        control |= chance(10) ? 8 : 0;
        for (const unsigned shift : {4U, 8U, 12U}) {
            control |= (chance(35) ? 1U : 0U) << shift;
            control |= static_cast<std::uint32_t>(random() % comparators) << (shift + 1);
        }
        registers[at] = control;
        registers[at + 4] = static_cast<std::uint32_t>(random()) & 0x10B;
        registers[at + 8] = static_cast<std::uint32_t>(random());
        registers[at + 12] = static_cast<std::uint32_t>(random());
    }
    for (unsigned c = 0; c < comparators; ++c) {
        const Address at = kComparator + kUnit * c;
        const std::uint64_t first = chance(75) ? 0 : 2;
        const std::uint64_t second = chance(75) ? 0 : 2;
        registers[at] = static_cast<std::uint32_t>(
            first | second << 2 | (random() % 8) << 4 | (random() % 8) << 8 | (random() % 4) << 12 |
            (chance(10) ? 1U << 14 : 0U) | (chance(10) ? 1U << 15 : 0U));
        const std::array halves{value(first), value(second)};
        for (unsigned i = 0; i < 2; ++i) {
            registers[at + 0x10 + 8 * i] = static_cast<std::uint32_t>(halves.at(i));
            registers[at + 0x14 + 8 * i] = static_cast<std::uint32_t>(halves.at(i) >> 32);
        }
    }
    return registers;
}

void vary_traps(std::mt19937_64& random, std::vector<Step>& steps) {
    for (Step& step : steps) {
        if (step.trap) {
            const std::uint64_t interrupt = random() & std::uint64_t{1} << 63;
            step.taken.cause = interrupt | random() % 64;
            step.taken.tval = interrupt != 0 ? 0 : random() % 4;
        }
    }
}

} // namespace pes::trace::test
