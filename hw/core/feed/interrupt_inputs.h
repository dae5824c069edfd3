// SPDX-License-Identifier: Apache-2.0
// Changes of a hart's interrupt inputs that mip does not show yet. They become known a few cycles
// early or late.
#pragma once

#include "hw/core/arch/csr_file.h"
#include "hw/core/feed/attention.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <vector>

namespace pes {

/// Interrupt inputs; the value is the bit in mip.
enum class Interrupt : std::uint8_t {
    MachineSoftware = 3,
    SupervisorTimer = 5, ///< time >= stimecmp (Sstc)
    MachineTimer = 7,
    SupervisorExternal = 9,
    MachineExternal = 11,
    CounterOverflow = 13, ///< LCOFI, of the hart's own counters
};

class InterruptInputs {
  public:
    explicit InterruptInputs(Attention& attention) : attention_(attention) {}

    /// mip changes at cycle `at`.
    void set(Interrupt line, bool level, Cycle at);
    /// Updates mip with the changes up to and including `cycle`.
    void apply(Cycle cycle, CsrFile& csr);

    /// The lines as mip shows them in `cycle`; a requested LCOFIP is among them.
    std::uint64_t lines_in(Cycle cycle, const CsrFile& csr) const;

    /// Cycle of the next change and of the next rise; kNever if none is known.
    Cycle next_change() const { return changes_.empty() ? kNever : changes_.front().at; }
    Cycle next_rise() const;
    /// True if a rise of the line is known that mip does not show yet.
    bool expects(Interrupt line) const;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    struct Change {
        Cycle at;
        Interrupt line;
        bool level;
        void state(class Archive& archive);
    };

    Attention& attention_;
    std::vector<Change> changes_; ///< by cycle
};

} // namespace pes
