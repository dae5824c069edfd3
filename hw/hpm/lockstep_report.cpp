// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/lockstep_report.h"

#include "hw/hpm/counter_names.h"
#include "hw/interface/pmu/counter_csr.h"

#include <algorithm>
#include <sstream>

namespace pes {
namespace {

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
    const std::string name = counter_csr_name(csr);
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
