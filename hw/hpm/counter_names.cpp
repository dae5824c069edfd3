// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/counter_names.h"

#include "hw/hpm/pcer_csr.h"
#include "hw/interface/pmu/counter_csr.h"

namespace pes {
namespace {

std::string threshold_name(unsigned index) {
    switch (index) {
    case kCycleIndex:
        return "mhpmthresholdcyc";
    case kInstretIndex:
        return "mhpmthresholdinstret";
    default:
        return "mhpmthreshold" + std::to_string(index);
    }
}

std::string pcer_name(std::uint16_t csr) {
    const std::string user = machine_pcer_csr(csr) != csr ? "u" : "";
    const PcerCsr place = decode_pcer_csr(csr);
    switch (place.kind) {
    case PcerRegister::Mode:
        return user + "pcmr";
    case PcerRegister::Enable:
        return user + "pcer";
    case PcerRegister::All:
        return user + "pccr31";
    case PcerRegister::Counter:
        return user + "pccr" + std::to_string(place.index);
    case PcerRegister::None:
        break;
    }
    return {};
}

} // namespace

std::string counter_name(unsigned index) {
    switch (index) {
    case kCycleIndex:
        return "mcycle";
    case kInstretIndex:
        return "minstret";
    default:
        return "mhpmcounter" + std::to_string(index);
    }
}

std::string counter_csr_name(std::uint16_t csr) {
    const CounterCsr place = decode_counter_csr(csr);
    switch (place.kind) {
    case CounterRegister::Counter:
        return counter_name(place.index);
    case CounterRegister::Event:
        return "mhpmevent" + std::to_string(place.index);
    case CounterRegister::Inhibit:
        return "mcountinhibit";
    case CounterRegister::Threshold:
        return threshold_name(place.index);
    case CounterRegister::BufferBase:
        return "mhpmmmaped";
    case CounterRegister::BufferSize:
        return "mhpmmsize";
    case CounterRegister::BufferOffset:
        return "mhpmmoffset";
    case CounterRegister::BufferControl:
        return "mhpmmcontrol";
    case CounterRegister::Filter:
        return place.index == kCycleIndex ? "mcyclecfg" : "minstretcfg";
    case CounterRegister::Overflow:
        return "scountovf";
    case CounterRegister::Sample: {
        constexpr const char* kNames[] = {"shpmspc", "shpmsdata", "mhpmmspc", "mhpmmsdata",
                                          "mhpmmsaddr"};
        return kNames[place.index];
    }
    case CounterRegister::None:
        break;
    }
    return pcer_name(csr);
}

std::string events_of(const PmuProfile& profile, std::uint64_t selector) {
    std::string names;
    for (const EventRow& row : profile) {
        if (row.source != Event::None && selects(profile, selector, row)) {
            names.append(names.empty() ? "" : ", ").append(row.name);
        }
    }
    return names.empty() ? "no event" : names;
}

} // namespace pes
