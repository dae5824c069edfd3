// SPDX-License-Identifier: Apache-2.0
// Which register of which counter a CSR number names. Freestanding.
//
// Counters go by their architectural index everywhere: 0 = mcycle, 2 = minstret, 3..31 =
// mhpmcounter3..31. There is no counter 1 (its place is `time`).
#pragma once

#include "hw/interface/maps/csr.h"

#include <stdint.h>

namespace pes {

inline constexpr unsigned kCycleIndex = 0;
inline constexpr unsigned kInstretIndex = 2;
inline constexpr unsigned kFirstProgrammable = 3;
inline constexpr unsigned kCounterLimit = 32; ///< one past the last index

enum class CounterRegister : uint8_t {
    None, ///< not a counter CSR
    Counter,
    Event,
    Inhibit,
    Threshold,
    BufferBase,
    BufferSize,
    BufferOffset,
    BufferControl,
    Filter,   ///< mcyclecfg, minstretcfg
    Overflow, ///< scountovf
    Sample,   ///< shpmspc, shpmsdata, mhpmmspc, mhpmmsdata, mhpmmsaddr
};

struct CounterCsr {
    CounterRegister kind = CounterRegister::None;
    uint8_t index = 0; ///< of the counter, for Counter, Event, Threshold and Filter; of kSampleCsrs
};

/// The registers of Sspesa, which a bank has if a hart asks for them.
inline constexpr uint16_t kSampleCsrs[] = {csr::kShpmspc, csr::kShpmsdata, csr::kMhpmmspc,
                                           csr::kMhpmmsdata, csr::kMhpmmsaddr};
inline constexpr uint8_t kSampleCsrCount = 5;

/// Numbers below machine level (user shadows, counteren) are the hart's and decode as None.
constexpr CounterCsr decode_counter_csr(uint16_t number) {
    const auto within = [number](uint16_t first, uint16_t last) {
        return number >= first && number <= last;
    };
    const auto index_from = [number](uint16_t base) { return static_cast<uint8_t>(number - base); };
    if (number == csr::kMcycle) {
        return {CounterRegister::Counter, kCycleIndex};
    }
    if (within(csr::kMinstret, csr::kMhpmcounter31)) {
        return {CounterRegister::Counter, index_from(csr::kMcycle)};
    }
    if (number == csr::kMcountinhibit) {
        return {CounterRegister::Inhibit, 0};
    }
    if (number == csr::kMcyclecfg || number == csr::kMinstretcfg) {
        return {CounterRegister::Filter,
                number == csr::kMcyclecfg ? uint8_t{kCycleIndex} : uint8_t{kInstretIndex}};
    }
    if (number == csr::kScountovf) {
        return {CounterRegister::Overflow, 0};
    }
    if (within(csr::kMhpmevent3, csr::kMhpmevent31)) {
        return {CounterRegister::Event, index_from(csr::kMcountinhibit)};
    }
    if (number == csr::kMhpmthresholdCycle) { // at 0xB20 + 1, because 0xB20 is not used
        return {CounterRegister::Threshold, kCycleIndex};
    }
    if (within(csr::kMhpmthresholdInstret, csr::kMhpmthreshold31)) {
        return {CounterRegister::Threshold,
                static_cast<uint8_t>(number - csr::kMhpmthresholdInstret + kInstretIndex)};
    }
    if (within(csr::kMhpmmmaped, csr::kMhpmmcontrol)) {
        constexpr CounterRegister kBuffer[] = {
            CounterRegister::BufferBase, CounterRegister::BufferSize, CounterRegister::BufferOffset,
            CounterRegister::BufferControl};
        return {kBuffer[number - csr::kMhpmmmaped], 0};
    }
    for (uint8_t place = 0; place < kSampleCsrCount; ++place) {
        if (number == kSampleCsrs[place]) {
            return {CounterRegister::Sample, place};
        }
    }
    return {};
}
static_assert(csr::kMhpmmsize == csr::kMhpmmmaped + 1 &&
              csr::kMhpmmoffset == csr::kMhpmmmaped + 2 &&
              csr::kMhpmmcontrol == csr::kMhpmmmaped + 3);

constexpr bool is_sample_csr(uint16_t number) {
    return decode_counter_csr(number).kind == CounterRegister::Sample;
}
constexpr uint16_t counter_csr(unsigned index) {
    return static_cast<uint16_t>(csr::kMcycle + index);
}
constexpr uint16_t event_csr(unsigned index) {
    return static_cast<uint16_t>(csr::kMhpmevent3 - kFirstProgrammable + index);
}
constexpr uint16_t threshold_csr(unsigned index) {
    return index == kCycleIndex
               ? csr::kMhpmthresholdCycle
               : static_cast<uint16_t>(csr::kMhpmthresholdInstret - kInstretIndex + index);
}

/// True if a bank implements the number, whichever shape it has. Those of Sspesa are not among
/// them.
constexpr bool is_counter_csr(uint16_t number, bool sscofpmf, bool smcntrpmf) {
    switch (decode_counter_csr(number).kind) {
    case CounterRegister::None:
    case CounterRegister::Sample:
        return false;
    case CounterRegister::Filter:
        return smcntrpmf;
    case CounterRegister::Overflow:
        return sscofpmf;
    default:
        return true;
    }
}

} // namespace pes
