// SPDX-License-Identifier: Apache-2.0
// Judges the steps of a sample: their order always, their distances where a figure measured on
// CVA6 RTL applies. docs/waveforms.md has the measured figures and their meaning.
#pragma once

#include "tb/sample_steps.h"

#include <optional>
#include <string>
#include <vector>

namespace pes {

/// How far the RTL figures apply to a program.
enum class RtlFigures : std::uint8_t {
    Interrupt, ///< from event to mip, and the cost of trap and return: any program
    Loop,      ///< also when the trap is taken: the program is the RTL's own loop, in steady state
};

enum class Verdict : std::uint8_t {
    Holds,
    Fails,
    Differs, ///< from an RTL figure that is compared, not demanded
};

struct CheckRow {
    std::string title;
    std::optional<Cycle> at;
    std::string expected; ///< what is demanded, or the RTL's figure
    Verdict verdict = Verdict::Holds;
};

struct CheckOptions {
    RtlFigures figures = RtlFigures::Interrupt;
    bool handler_inhibits = true; ///< false: it lets the counter run
};

std::vector<CheckRow> check_sample(const Sample& sample, const CheckOptions& options);

/// The rows with cycles counted from the event, and a line of facts about the sample.
std::string format_check(const Sample& sample, const std::vector<CheckRow>& rows);

} // namespace pes
