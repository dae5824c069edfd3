// SPDX-License-Identifier: Apache-2.0
// What a comparison leaves out on both sides. The sampling handler, and the firmware around it,
// runs with interrupts off: it is in the exact profile and cannot be sampled. It may be part of the
// same ELF file as the program, so the mode separates the two.
#pragma once

#include "decoder/compare/truth.h"
#include "platform/profile/sample_profile.h"
#include "platform/program/symbolizer.h"

#include <string>
#include <utility>
#include <vector>

namespace pes {

/// What was left out, and how much of both sides it is.
struct LeftOut {
    std::vector<std::string> what; ///< "machine mode", functions as typed, ranges as typed
    std::string why_nothing;       ///< if `what` is empty
    std::uint64_t exact = 0;       ///< in units of the measure
    std::uint64_t exact_in_all = 0;
    std::uint64_t samples = 0;
    std::uint64_t samples_in_all = 0;
};

class Exclusion {
  public:
    /// The words of --exclude. Throws UserError for a word that is no function, glob or range.
    explicit Exclusion(const std::vector<std::string>& words);

    /// Removes what is left out from `sampled` and from `truth`; `machine` are the samples among
    /// them that were taken in machine mode. Throws UserError for a function that no program has,
    /// and for machine mode if it was asked for and the truth does not tell it.
    LeftOut apply(AddressTallies& sampled, const AddressTallies& machine, Truth& truth,
                  const Symbolizer& symbolizer) const;

  private:
    /// Whether machine mode is left out.
    enum class Machine : std::uint8_t { IfOthersWereSampled, Always, Never };

    struct Range {
        std::string text;
        Address begin, end; ///< end: one past the last byte
    };

    bool leaves_out_machine(const AddressTallies& sampled, const AddressTallies& machine,
                            const Truth& truth, std::string& why_not) const;

    Machine machine_ = Machine::IfOthersWereSampled;
    std::vector<std::string> functions_; ///< names or globs
    std::vector<Range> ranges_;
};

} // namespace pes
