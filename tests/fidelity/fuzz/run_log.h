// SPDX-License-Identifier: Apache-2.0
// What a run of a program left behind: every retirement and trap with its cycle, and the counters
// of each pass. The judge's text form of it is the protocol of docs/fidelity.md.
#pragma once

#include "hw/interface/types.h"
#include "tests/fidelity/measurement.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pes::cycle_fuzz {

struct Step {
    Cycle cycle = 0; ///< since the first retirement of the log
    Address pc = 0;
    std::uint32_t raw = 0; ///< of a retirement
    std::uint64_t cause = 0;
    bool trap = false;

    bool operator==(const Step&) const = default;
};

struct Pass {
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
    std::array<std::uint64_t, fidelity::kEvents> events{};

    bool operator==(const Pass&) const = default;
};

struct RunLog {
    std::vector<Step> steps;
    std::vector<Pass> passes;
    Cycle begin = 0;     ///< the cycle of the first step, since reset; the model's only
    std::string problem; ///< empty if the program came to its end
};

/// From the words of `results`: 24 a pass.
std::vector<Pass> passes_of(const std::vector<std::uint64_t>& words);

/// Reads what the judge printed. A line that is none of the protocol's is a problem.
RunLog parse_judge_output(std::string_view text);

/// Drops the steps before the first retirement at `pc`, or before the last one, and counts cycles
/// from it.
void begin_at(RunLog& log, Address pc, bool last);

/// Drops the steps from the last retirement at `pc` on.
void end_at(RunLog& log, Address pc);

/// What kind of instruction it is: "load", "div", "branch", "c.jr" ...
std::string_view kind_of(std::uint32_t raw);

} // namespace pes::cycle_fuzz
