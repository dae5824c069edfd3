// SPDX-License-Identifier: Apache-2.0
// The truth of each sample that software takes: when a counter of the guest crossed, which
// instruction made it, and where the interrupt came. docs/truth.md has the file.
//
// An interrupt belongs to the crossings before it that have none yet: a machine or supervisor
// external interrupt to thresholds, a counter overflow interrupt to overflows. Another device's
// external interrupt that comes in between is taken for it.
#pragma once

#include "platform/soc/hart_tap.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pes {

class CrossingLog final : public HartTap,
                          private CrossingSink,
                          private SightSink,
                          private InterruptSink {
  public:
    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;

    /// CSV with a header line, one line for each crossing in order of time.
    std::string csv(unsigned hart) const;
    std::size_t size() const { return lines_.size(); }

  private:
    struct Interrupt {
        Cycle cycle = 0;
        SeenInstruction squashed;
    };
    struct Line {
        Crossing crossing;
        std::optional<SeenInstruction> cause{};
        std::optional<Interrupt> interrupt{};
    };

    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;
    void interrupted(unsigned cause, Cycle cycle, const SeenInstruction& squashed) override;

    Hart* hart_ = nullptr;
    std::vector<Line> lines_;
    std::vector<std::size_t> pending_;             ///< lines without an interrupt
    std::array<std::optional<Interrupt>, 2> last_; ///< by the kind of crossing that it delivers
};

} // namespace pes
