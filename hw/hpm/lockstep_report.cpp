// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/lockstep_report.h"

#include "hw/hpm/pcer_csr.h"
#include "hw/interface/pmu/counter_csr.h"

#include <algorithm>
#include <sstream>

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

/// Empty if it is not a counter CSR.
std::string name_of(std::uint16_t csr) {
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

/// "  cycle 17: 2 retired, load, integer, write mhpmcounter3 (CSR 0xB03) = 0x2a".
void print(std::ostream& out, const PmuProfile& profile, const RtlModel::Inputs& inputs,
           Cycle cycle) {
    out << "  cycle " << std::dec << cycle << ": " << unsigned{inputs.retired} << " retired";
    for (const EventRow& row : profile) {
        if (row.source != Event::None && inputs.pulses.has(row.source)) {
            out << ", " << row.name;
        }
    }
    if (inputs.debug) {
        out << ", debug mode";
    }
    if (inputs.write) {
        out << ", write " << csr_name(inputs.csr) << " = 0x" << std::hex << inputs.write_data;
    }
    out << '\n';
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

/// "mhpmcounter4: mhpmevent4 is 0x5 (load), bit 4 of mcountinhibit is 0".
void print_counter(std::ostream& out, unsigned index, const CounterConfig& config,
                   const ModelBank& model) {
    out << counter_name(index) << ": ";
    if (index >= kFirstProgrammable + config.programmable) {
        out << "this counter does not exist; it reads 0 and drops writes\n";
        return;
    }
    if (index >= kFirstProgrammable) {
        const std::uint64_t selector = model.peek(event_csr(index));
        out << "mhpmevent" << std::dec << index << " is 0x" << std::hex << selector << " ("
            << events_of(*config.profile, selector & config.profile->selector_mask) << "), ";
    }
    out << "bit " << std::dec << index << " of mcountinhibit is "
        << (model.peek(csr::kMcountinhibit) >> index & 1U) << '\n';
}

void print_age(std::ostream& out, const CounterDifference& difference) {
    if (difference.found == CounterDifference::Found::AtOnce) {
        return;
    }
    if (difference.found == CounterDifference::Found::Idle) {
        out << "the idle read port found it, which looks at each of " << std::dec
            << difference.registers << " registers in turn: ";
    } else {
        out << "found when the run ended: ";
    }
    out << "the two values may differ since cycle " << std::dec << difference.equal_in + 1 << '\n';
}

} // namespace

std::string csr_name(std::uint16_t csr) {
    std::ostringstream number;
    number << "CSR 0x" << std::hex << std::uppercase << csr;
    const std::string name = name_of(csr);
    return name.empty() ? number.str() : name + " (" + number.str() + ")";
}

std::string report(const CounterDifference& difference, const CounterConfig& config,
                   const ModelBank& model, const std::vector<RtlRecorder::PastCycle>& last,
                   const NameOfPc& name_of_pc) {
    const std::string place = name_of_pc ? name_of_pc(difference.pc) : "";
    std::ostringstream out;
    out << "counters differ in cycle " << difference.cycle << ", pc 0x" << std::hex << difference.pc
        << (place.empty() ? "" : " in ") << place << ": " << difference.signal << " is 0x"
        << difference.model << " in the model and 0x" << difference.rtl << " in the RTL\n";
    for (unsigned index = 0; index < kCounterLimit; ++index) {
        if ((difference.counters >> index & 1U) != 0) {
            print_counter(out, index, config, model);
        }
    }
    print_age(out, difference);
    out << "the last " << std::dec << std::ranges::count_if(last, RtlRecorder::has_pulses)
        << " cycles with pulses:\n";
    for (const RtlRecorder::PastCycle& past : last) {
        print(out, *config.profile, past.inputs, past.cycle);
    }
    return out.str();
}

} // namespace pes
