// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/filter_registers.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/register_bits.h"
#include "hw/trace/register_set.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pes::trace {
namespace {

namespace filter = trace_control::filter;
namespace comparator = trace_control::comparator;

constexpr std::uint32_t kPrivileges = 1U << static_cast<unsigned>(Privilege::User) |
                                      1U << static_cast<unsigned>(Privilege::Supervisor) |
                                      1U << static_cast<unsigned>(Privilege::Machine);

void set_half(std::uint64_t& whole, unsigned half, std::uint32_t value) {
    whole = with_half(whole, half, value);
}

/// Context and data addresses are no inputs here.
constexpr CompareInput legal_input(std::uint32_t code) {
    return (code & comparator::kInputMask) == comparator::kInputTrapValue ? CompareInput::TrapValue
                                                                          : CompareInput::Address;
}

constexpr CompareFunction function_of(std::uint32_t code) {
    return static_cast<CompareFunction>(code & comparator::kFunctionMask);
}

constexpr unsigned ask_shift(unsigned which) {
    return filter::kComparatorShift + filter::kComparatorDistance * which;
}

} // namespace

std::vector<Register> FilterRegisters::describe() {
    std::vector<Register> list;
    if (counts_.filters != 0) {
        RegisterMap<FilterRegisters> map(*this);
        map.reg("trTeInstFilters", trace_control::encoder::kFilters)
            .read(&FilterRegisters::read_selected)
            .write(&FilterRegisters::write_selected);
        append(list, map.take());
    }
    for (unsigned index = 0; index < counts_.filters; ++index) {
        append(list, describe_filter(index));
    }
    for (unsigned index = 0; index < counts_.comparators; ++index) {
        append(list, describe_comparator(index));
    }
    return list;
}

std::vector<Register> FilterRegisters::describe_filter(unsigned index) {
    RegisterMap<FilterRegisters> map(*this);
    const std::string name = "trTeFilter" + std::to_string(index);
    const Address base = filter::kStride * index;
    map.reg(name + "Control", base + filter::kControl)
        .read(&FilterRegisters::read_filter, index)
        .write(&FilterRegisters::write_filter, index);
    map.reg(name + "MatchInst", base + filter::kMatchInstruction)
        .read(&FilterRegisters::read_match, index)
        .write(&FilterRegisters::write_match, index);
    map.reg(name + "MatchEcauseLow", base + filter::kMatchCauseLow)
        .read(&FilterRegisters::read_causes, index, Half{0})
        .write(&FilterRegisters::write_causes, index, Half{0});
    map.reg(name + "MatchEcauseHigh", base + filter::kMatchCauseHigh)
        .read(&FilterRegisters::read_causes, index, Half{1})
        .write(&FilterRegisters::write_causes, index, Half{1});
    return map.take();
}

std::vector<Register> FilterRegisters::describe_comparator(unsigned index) {
    RegisterMap<FilterRegisters> map(*this);
    const std::string name = "trTeComp" + std::to_string(index);
    const Address base = comparator::kStride * index;
    map.reg(name + "Control", base + comparator::kControl)
        .read(&FilterRegisters::read_comparator, index)
        .write(&FilterRegisters::write_comparator, index);
    const auto value = [&](const char* end, Address offset, Side side, Half half) {
        map.reg(name + end, base + offset)
            .read(&FilterRegisters::read_value, index, side, half)
            .write(&FilterRegisters::write_value, index, side, half);
    };
    value("PmatchLow", comparator::kPrimaryLow, Side::Primary, 0);
    value("PmatchHigh", comparator::kPrimaryHigh, Side::Primary, 1);
    value("SmatchLow", comparator::kSecondaryLow, Side::Secondary, 0);
    value("SmatchHigh", comparator::kSecondaryHigh, Side::Secondary, 1);
    return map.take();
}

// --- Filters ------------------------------------------------------------------------------------

void FilterRegisters::write_selected(std::uint32_t value, Cycle at) {
    settings_.selected = static_cast<std::uint16_t>(value & ((1U << counts_.filters) - 1));
    changed_(at);
}

std::uint32_t FilterRegisters::read_filter(unsigned index) const {
    const FilterSettings& settings = settings_.filters.at(index);
    std::uint32_t value = bit_if(settings.enable, filter::kEnable) |
                          bit_if(settings.by_privilege, filter::kPrivilege) |
                          bit_if(settings.by_cause, filter::kCause) |
                          bit_if(settings.by_interrupt, filter::kInterrupt);
    for (unsigned which = 0; which < filter::kComparators; ++which) {
        const FilterSettings::Ask& ask = settings.asks.at(which);
        const std::uint32_t index_field = std::uint32_t{ask.comparator}
                                          << filter::kComparatorIndexShift;
        value |= (bit_if(ask.match, filter::kComparatorMatch) | index_field) << ask_shift(which);
    }
    return value;
}

void FilterRegisters::write_filter(unsigned index, std::uint32_t value, Cycle at) {
    FilterSettings& settings = settings_.filters.at(index);
    settings.enable = (value & filter::kEnable) != 0;
    settings.by_privilege = (value & filter::kPrivilege) != 0;
    settings.by_cause = (value & filter::kCause) != 0;
    settings.by_interrupt = (value & filter::kInterrupt) != 0;
    for (unsigned which = 0; which < filter::kComparators; ++which) {
        settings.asks.at(which) = legal_ask(value >> ask_shift(which));
    }
    changed_(at);
}

/// A comparator that is not there becomes the last one.
FilterSettings::Ask FilterRegisters::legal_ask(std::uint32_t value) const {
    if (counts_.comparators == 0) {
        return {};
    }
    const std::uint32_t index =
        value >> filter::kComparatorIndexShift & filter::kComparatorIndexMask;
    return {.match = (value & filter::kComparatorMatch) != 0,
            .comparator = static_cast<std::uint8_t>(std::min(index, counts_.comparators - 1))};
}

std::uint32_t FilterRegisters::read_match(unsigned index) const {
    const FilterSettings& settings = settings_.filters.at(index);
    return settings.privileges | bit_if(settings.interrupts, filter::kInterruptValue);
}

void FilterRegisters::write_match(unsigned index, std::uint32_t value, Cycle at) {
    FilterSettings& settings = settings_.filters.at(index);
    settings.privileges = static_cast<std::uint8_t>(value & kPrivileges);
    settings.interrupts = (value & filter::kInterruptValue) != 0;
    changed_(at);
}

std::uint32_t FilterRegisters::read_causes(unsigned index, Half half) const {
    return half_of(settings_.filters.at(index).causes, half);
}

void FilterRegisters::write_causes(unsigned index, Half half, std::uint32_t value, Cycle at) {
    set_half(settings_.filters.at(index).causes, half, value);
    changed_(at);
}

// --- Comparators --------------------------------------------------------------------------------

std::uint32_t FilterRegisters::read_comparator(unsigned index) const {
    const auto& [primary, secondary, mode] = settings_.comparators.at(index);
    const auto number = [](auto code) { return static_cast<std::uint32_t>(code); };
    return number(primary.input) << comparator::kPrimaryInputShift |
           number(secondary.input) << comparator::kSecondaryInputShift |
           number(primary.function) << comparator::kPrimaryFunctionShift |
           number(secondary.function) << comparator::kSecondaryFunctionShift |
           number(mode) << comparator::kModeShift |
           bit_if(primary.notify, comparator::kPrimaryNotify) |
           bit_if(secondary.notify, comparator::kSecondaryNotify);
}

void FilterRegisters::write_comparator(unsigned index, std::uint32_t value, Cycle at) {
    auto& [primary, secondary, mode] = settings_.comparators.at(index);
    primary.input = legal_input(value >> comparator::kPrimaryInputShift);
    primary.function = function_of(value >> comparator::kPrimaryFunctionShift);
    primary.notify = (value & comparator::kPrimaryNotify) != 0;
    secondary.input = legal_input(value >> comparator::kSecondaryInputShift);
    secondary.function = function_of(value >> comparator::kSecondaryFunctionShift);
    secondary.notify = (value & comparator::kSecondaryNotify) != 0;
    mode = static_cast<MatchMode>(value >> comparator::kModeShift & comparator::kModeMask);
    changed_(at);
}

Comparison& FilterRegisters::comparison(unsigned index, Side side) {
    ComparatorSettings& settings = settings_.comparators.at(index);
    return side == Side::Primary ? settings.primary : settings.secondary;
}

const Comparison& FilterRegisters::comparison(unsigned index, Side side) const {
    const ComparatorSettings& settings = settings_.comparators.at(index);
    return side == Side::Primary ? settings.primary : settings.secondary;
}

std::uint32_t FilterRegisters::read_value(unsigned index, Side side, Half half) const {
    return half_of(comparison(index, side).value, half);
}

void FilterRegisters::write_value(unsigned index, Side side, Half half, std::uint32_t value,
                                  Cycle at) {
    set_half(comparison(index, side).value, half, value);
    changed_(at);
}

void FilterRegisters::state(Archive& archive) {
    archive(settings_);
}

} // namespace pes::trace
