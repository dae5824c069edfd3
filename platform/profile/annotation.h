// SPDX-License-Identifier: Apache-2.0
// One function, instruction by instruction under its source lines, with the samples of an event,
// what the run really had of it, and why the instruction took its cycles.
#pragma once

#include "platform/profile/report.h"
#include "platform/program/symbolizer.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pes {

/// What the run had at an address, over all modes and address spaces.
struct ExactCost {
    double events = 0; ///< of the event that is sampled; half cycles are possible
    double cycles = 0;
    std::string_view reason{}; ///< for most of these cycles; empty without cycles
    double of_reason = 0;      ///< cycles for it
};
using ExactCosts = std::unordered_map<Address, ExactCost>;

struct AnnotatedInstruction {
    Address pc = 0;
    std::string text; ///< disassembly
    std::uint64_t samples = 0;
    ExactCost cost{};
};

/// Instructions that follow each other and belong to one line.
struct AnnotatedLine {
    SourceLine source; ///< line 0 if unknown
    std::string text;  ///< of the source, as far as the file is there
    std::vector<AnnotatedInstruction> instructions;
};

struct Annotation {
    std::string function;
    std::string program;
    std::uint64_t samples = 0; ///< in the function
    double events = 0;
    std::uint64_t all_samples = 0; ///< of the event
    double all_events = 0;
    std::vector<AnnotatedLine> lines;
};

/// True for a name as in the tables, with or without parameters, or as in a symbol table.
bool has_function(const Symbolizer& symbolizer, const std::string& name);

/// An empty name is the function with most samples; nothing if no function has any, or if there is
/// none of this name.
std::optional<Annotation> annotate(const Symbolizer& symbolizer, const std::string& name,
                                   const AddressTallies& samples, const ExactCosts& costs);

void write_annotation(std::ostream& out, const Annotation& annotation, std::string_view event,
                      TextStyle style);

} // namespace pes
