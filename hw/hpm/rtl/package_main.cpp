// SPDX-License-Identifier: Apache-2.0
// pes-rtl-package: writes pes_hpm_pkg.sv from the event table, the profiles and the CSR map, so
// that no number is written a second time in the SystemVerilog.
#include "hw/common/event.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/pcer_csr.h"
#include "hw/hpm/rtl/rtl_profiles.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/pmu/profile_cv32e40p.h"
#include "hw/interface/riscv/retire_class.h"

#include <array>
#include <bit>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace {

struct Number {
    const char* name;
    std::uint16_t value;
};

constexpr auto kCsrs = std::to_array<Number>({
    {"CsrMcycle", pes::csr::kMcycle},
    {"CsrMinstret", pes::csr::kMinstret},
    {"CsrMhpmcounter3", pes::csr::kMhpmcounter3},
    {"CsrMhpmcounter31", pes::csr::kMhpmcounter31},
    {"CsrMcountinhibit", pes::csr::kMcountinhibit},
    {"CsrMcyclecfg", pes::csr::kMcyclecfg},
    {"CsrMinstretcfg", pes::csr::kMinstretcfg},
    {"CsrScountovf", pes::csr::kScountovf},
    {"CsrMhpmevent3", pes::csr::kMhpmevent3},
    {"CsrMhpmevent31", pes::csr::kMhpmevent31},
    {"CsrMhpmthresholdCycle", pes::csr::kMhpmthresholdCycle},
    {"CsrMhpmthresholdInstret", pes::csr::kMhpmthresholdInstret},
    {"CsrMhpmthreshold31", pes::csr::kMhpmthreshold31},
    {"CsrMhpmmmaped", pes::csr::kMhpmmmaped},
    {"CsrMhpmmsize", pes::csr::kMhpmmsize},
    {"CsrMhpmmoffset", pes::csr::kMhpmmoffset},
    {"CsrMhpmmcontrol", pes::csr::kMhpmmcontrol},
    {"CsrShpmspc", pes::csr::kShpmspc},
    {"CsrMhpmmspc", pes::csr::kMhpmmspc},
    {"CsrMhpmmsaddr", pes::csr::kMhpmmsaddr},
    {"CsrPccr0", pes::csr::kPccr0},
    {"CsrPccr31", pes::csr::kPccr31},
    {"CsrPcer", pes::csr::kPcer},
    {"CsrPcmr", pes::csr::kPcmr},
    {"CsrUserPccr0", pes::csr::kUserPccr0},
    {"CsrUserPcer", pes::csr::kUserPcer},
    {"CsrUserPcmr", pes::csr::kUserPcmr},
});

/// "l1i-miss" as "L1iMiss".
std::string camel_case(std::string_view name) {
    std::string result;
    bool begins = true;
    for (const char letter : name) {
        if (letter == '-') {
            begins = true;
        } else {
            const auto byte = static_cast<unsigned char>(letter);
            result += static_cast<char>(begins ? std::toupper(byte) : byte);
            begins = false;
        }
    }
    return result;
}

std::string hexadecimal(std::uint16_t value) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%03X", value);
    return text.data();
}

unsigned selector_bits(const pes::PmuProfile& profile) {
    return static_cast<unsigned>(std::bit_width(profile.selector_mask));
}

/// For profiles whose selectors are numbers: the part of a table that they index.
unsigned number_bits() {
    unsigned width = 0;
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        if (profile->selector_kind == pes::SelectorKind::Number) {
            width = std::max(width, selector_bits(*profile));
        }
    }
    return width;
}

bool is_mask(const pes::PmuProfile* profile) {
    return profile->selector_kind == pes::SelectorKind::ClassMask;
}

/// False for sources that the counters know without a pulse.
bool is_pulse(const pes::EventRow& row) {
    return static_cast<std::size_t>(row.source) < pes::kCoreEventCount;
}

/// The name of a pulse pin: that of the first event that it feeds, in the order of the profiles.
std::string pin_name(pes::Event source) {
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        for (const pes::EventRow& row : *profile) {
            if (row.source == source) {
                return "Event" + camel_case(row.name);
            }
        }
    }
    return {};
}

void write_sources(std::ostream& out) {
    out << "  // Pulse pins: each source at most once in a cycle.\n"
        << "  localparam int unsigned EventCount = " << pes::kBaseEventCount << ";\n"
        << "  typedef logic [EventCount-1:0] pulses_t;\n";
    for (std::size_t source = 0; source < pes::kCoreEventCount; ++source) {
        if (source == pes::kBaseEventCount) {
            out << "\n  // Further sources, on the pins of profiles that count them.\n"
                << "  typedef logic [" << pes::kCoreEventCount - 1 << ":0] sources_t;\n";
        }
        const std::string name = pin_name(static_cast<pes::Event>(source));
        if (!name.empty()) {
            out << "  localparam int unsigned " << name << " = " << source << ";\n";
        }
    }
}

void write_retire_classes(std::ostream& out) {
    out << "\n  // Retirement ports: the class of an instruction, and the bits of its "
           "destination.\n"
        << "  localparam int unsigned RetireClassBits = " << pes::kRetireClassBits << ";\n"
        << "  localparam int unsigned RetireRegisterBits = " << pes::kRetireRegisterBits << ";\n"
        << "  typedef enum logic [RetireClassBits-1:0] {";
    for (std::size_t kind = 0; kind < pes::kRetireClassCount; ++kind) {
        out << (kind == 0 ? "" : ",") << "\n    Retire" << pes::kRetireClassNames[kind] << " = "
            << kind;
    }
    out << "\n  } retire_class_e;\n";
}

void write_csrs(std::ostream& out) {
    out << "\n  // 64 bits a counter, by counter index.\n"
        << "  typedef logic [63:0] values_t [32];\n"
        << "\n  // CSR numbers; ranges are given by their first and last number.\n";
    for (const Number& csr : kCsrs) {
        out << "  localparam logic [11:0] " << csr.name << " = 12'h" << hexadecimal(csr.value)
            << ";\n";
    }
    using namespace pes::csr;
    out << "\n  // mhpmmcontrol\n"
        << "  localparam int unsigned ControlEnable = " << std::countr_zero(kMhpmmcontrolFullEnable)
        << ";\n"
        << "  localparam int unsigned ControlRecord = " << kMhpmmcontrolRecordShift << ";\n"
        << "  localparam int unsigned ControlRecordWidth = "
        << std::bit_width(kMhpmmcontrolRecordMask) << ";\n"
        << "  localparam int unsigned ControlFull = " << std::countr_zero(kMhpmmcontrolFull)
        << ";\n";
}

/// The bits that Sscofpmf adds to mhpmevent; mcyclecfg and minstretcfg have the same filters.
void write_filters(std::ostream& out) {
    using namespace pes::csr;
    constexpr auto low = static_cast<unsigned>(std::countr_zero(kMhpmeventInhibits));
    const auto place = [](std::uint64_t bit) {
        return static_cast<unsigned>(std::countr_zero(bit)) - low;
    };
    out << "\n  // mhpmevent\n"
        << "  localparam int unsigned OverflowBit = " << kMhpmeventOverflowBit << ";\n"
        << "  localparam int unsigned FilterLow = " << low << ";\n"
        << "  localparam int unsigned FilterWidth = " << std::popcount(kMhpmeventInhibits) << ";\n"
        << "  typedef logic [FilterWidth-1:0] filter_t;\n"
        << "  localparam int unsigned UserFilter = " << place(kMhpmeventUserInhibit) << ";\n"
        << "  localparam int unsigned SupervisorFilter = " << place(kMhpmeventSupervisorInhibit)
        << ";\n"
        << "  localparam int unsigned MachineFilter = " << place(kMhpmeventMachineInhibit) << ";\n"
        << "\n  // The filters that hold a counter in this mode.\n"
        << "  function automatic filter_t filters_of(logic [1:0] mode);\n"
        << "    filters_of = '0;\n"
        << "    filters_of[" << place(kMhpmeventUserInhibit) << "] = mode == 2'd0;\n"
        << "    filters_of[" << place(kMhpmeventSupervisorInhibit) << "] = mode == 2'd1;\n"
        << "    filters_of[" << place(kMhpmeventMachineInhibit) << "] = mode == 2'd3;\n"
        << "  endfunction\n";
}

/// The rows that no pulse feeds: the sources of the fixed counters, in a programmable one.
void write_sampling_by_selector(std::ostream& out) {
    out << "\n  // Bit s: `cycles` or `instructions`, whichever of them selector s counts with "
           "Sscofpmf.\n"
        << "  function automatic by_selector_t sampling_by_selector(int unsigned profile,\n"
        << "                                                       logic cycles, logic "
           "instructions);\n"
        << "    sampling_by_selector = '0;\n";
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        for (const pes::EventRow& row : *profile) {
            if (!is_pulse(row)) {
                out << "    if (profile == Profile" << camel_case(profile->name)
                    << ") sampling_by_selector[" << row.selector
                    << "] = " << (row.source == pes::Event::Cycles ? "cycles" : "instructions")
                    << ";\n";
            }
        }
    }
    out << "  endfunction\n";
}

/// "  function automatic TYPE NAME(int unsigned profile); ... endfunction": a value per profile.
template <typename Value>
void write_property(std::ostream& out, const char* type, const char* name, Value value) {
    out << "\n  function automatic " << type << ' ' << name << "(int unsigned profile);\n"
        << "    case (profile)\n";
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        out << "      Profile" << camel_case(profile->name) << ": " << name << " = "
            << value(profile) << ";\n";
    }
    out << "      default: " << name << " = 1;\n    endcase\n  endfunction\n";
}

void write_number_profile(std::ostream& out, const pes::PmuProfile& profile) {
    out << "\n  function automatic by_selector_t " << profile.name
        << "_by_selector(pulses_t pulses);\n"
        << "    " << profile.name << "_by_selector = '0;\n";
    for (const pes::EventRow& row : profile) {
        if (row.source != pes::Event::None && is_pulse(row)) {
            out << "    " << profile.name << "_by_selector[" << row.selector << "] = pulses["
                << pin_name(row.source) << "];\n";
        }
    }
    out << "  endfunction\n";
}

/// An event of the selector's class whose mask bit is set pulses.
void write_mask_profile(std::ostream& out, const pes::PmuProfile& profile) {
    const std::string function = std::string(profile.name) + "_mask_pulse";
    out << "\n  function automatic logic " << function
        << "(logic [63:0] selector, sources_t pulses);\n"
        << "    " << function << " = 1'b0;\n";
    for (const pes::EventRow& row : profile) {
        if (row.source != pes::Event::None) {
            out << "    if (selector[7:0] == 8'd" << (row.selector & pes::kSelectorClass)
                << " && selector[" << std::countr_zero(row.selector & ~pes::kSelectorClass)
                << "] && pulses[" << pin_name(row.source) << "]) " << function << " = 1'b1;\n";
        }
    }
    out << "  endfunction\n";
}

void write_by_selector(std::ostream& out) {
    out << "\n  // Bit s: the event with selector s pulses in this cycle; reserved selectors "
           "never.\n"
        << "  function automatic by_selector_t by_selector(int unsigned profile, pulses_t "
           "pulses);\n"
        << "    by_selector = '0;\n";
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        if (!is_mask(profile)) {
            out << "    if (profile == Profile" << camel_case(profile->name) << ")\n"
                << "      by_selector = " << profile->name << "_by_selector(pulses);\n";
        }
    }
    out << "  endfunction\n";
}

/// The PCER unit: which pulse the event of each bit counts. Both variants have one table.
void write_pcer(std::ostream& out) {
    std::uint32_t stored = 0;
    std::ostringstream rows;
    unsigned instructions = 0;
    for (const pes::EventRow& row : pes::kCv32e40pProfile) {
        stored |= 1U << row.selector;
        if (row.source == pes::Event::Instructions) {
            instructions = static_cast<unsigned>(row.selector);
        } else if (row.source != pes::Event::None) {
            rows << "    pcer_pulses[" << row.selector << "] = ";
            if (is_pulse(row)) {
                rows << "pulses[" << static_cast<unsigned>(row.source) << "]";
            } else {
                rows << "1'b1";
            }
            rows << ";  // " << row.name << '\n';
        }
    }
    out << "\n  // The PCER unit. Its pulse pins are all sources that the hart can have.\n"
        << "  localparam int unsigned PcerCounters = " << pes::kPcerCounters << ";\n"
        << "  localparam logic [PcerCounters-1:0] PcerEvents = 31'h" << std::hex << stored
        << std::dec << ";\n"
        << "  localparam int unsigned PcerInstructions = " << instructions << ";\n"
        << "  localparam int unsigned PcmrEnable = " << std::countr_zero(pes::csr::kPcmrEnable)
        << ";\n"
        << "  localparam int unsigned PcmrSaturate = " << std::countr_zero(pes::csr::kPcmrSaturate)
        << ";\n"
        << "\n  // Bit n: event n happens in this cycle; what retires is not among the pulses.\n"
        << "  // verilator lint_off UNUSEDSIGNAL\n" // sources that no event counts
        << "  function automatic logic [PcerCounters-1:0] pcer_pulses(sources_t pulses);\n"
        << "    pcer_pulses = '0;\n"
        << rows.str() << "  endfunction\n"
        << "  // verilator lint_on UNUSEDSIGNAL\n";
}

void write_mask_pulse(std::ostream& out) {
    out << "\n  // Some event that a selector of class and mask chooses pulses in this cycle.\n"
        << "  function automatic logic mask_pulse(int unsigned profile, logic [63:0] selector,\n"
        << "                                      sources_t pulses);\n"
        << "    mask_pulse = 1'b0;\n";
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        if (is_mask(profile)) {
            out << "    if (profile == Profile" << camel_case(profile->name) << ")\n"
                << "      mask_pulse = " << profile->name << "_mask_pulse(selector, pulses);\n";
        }
    }
    out << "  endfunction\n";
}

void write_profiles(std::ostream& out) {
    out << "\n  // Profiles: which pulses a selector chooses. Selectors are numbers, or a class "
           "and\n"
        << "  // a mask.\n"
        << "  localparam int unsigned SelectorWidth = " << number_bits() << ";\n"
        << "  typedef logic [SelectorWidth-1:0] selector_t;\n"
        << "  typedef logic [2**SelectorWidth-1:0] by_selector_t;\n"
        << "  localparam int unsigned ProfileCount = " << pes::kRtlProfiles.size() << ";\n";
    unsigned number = 0;
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        out << "  localparam int unsigned Profile" << camel_case(profile->name) << " = " << number++
            << ";\n";
    }
    write_property(out, "int unsigned", "pulse_count",
                   [](const pes::PmuProfile* profile) { return pes::pulse_pins(*profile); });
    write_property(out, "int unsigned", "selector_bits",
                   [](const pes::PmuProfile* profile) { return selector_bits(*profile); });
    write_property(out, "bit", "class_mask",
                   [](const pes::PmuProfile* profile) { return is_mask(profile) ? 1 : 0; });
    out << "\n  /* verilator lint_off UNUSEDSIGNAL */ // a table does not use every pulse\n";
    for (const pes::PmuProfile* profile : pes::kRtlProfiles) {
        is_mask(profile) ? write_mask_profile(out, *profile) : write_number_profile(out, *profile);
    }
    out << "  /* verilator lint_on UNUSEDSIGNAL */\n";
    write_by_selector(out);
    write_mask_pulse(out);
}

std::string package() {
    std::ostringstream out;
    out << "// SPDX-License-Identifier: Apache-2.0\n"
        << "// Written by pes-rtl-package; the sources are hw/interface/pmu/profile_*.h and "
           "hw/interface/maps/csr.h.\n"
        << "/* verilator lint_off UNUSEDPARAM */ // whoever includes the package uses some of it\n"
        << "package pes_hpm_pkg;\n";
    write_sources(out);
    write_retire_classes(out);
    write_csrs(out);
    write_profiles(out);
    write_filters(out);
    write_sampling_by_selector(out);
    write_pcer(out);
    out << "endpackage\n/* verilator lint_on UNUSEDPARAM */\n";
    return out.str();
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3 || std::strcmp(argv[1], "-o") != 0) {
        std::fputs("pes-rtl-package: expected -o FILE\n", stderr);
        return 2;
    }
    std::ofstream file(argv[2]);
    file << package();
    file.close();
    if (!file) {
        std::fprintf(stderr, "pes-rtl-package: cannot write '%s'\n", argv[2]);
        return 2;
    }
    return 0;
}
