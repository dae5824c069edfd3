// SPDX-License-Identifier: Apache-2.0
// The truth of each sample that software takes: when a counter of the guest crossed, which
// instruction made it, and where the interrupt came. docs/truth.md has the file.
//
// An interrupt belongs to the crossings before it that have none yet: a machine or supervisor
// external interrupt to thresholds, a counter overflow interrupt to overflows. Another device's
// external interrupt that comes in between is taken for it.
//
// A line is written once it is known whole and those before it are written, so a long run takes no
// more memory than a short one.
#pragma once

#include "hw/common/archive.h"
#include "platform/host/output_file.h"
#include "platform/soc/hart_tap.h"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// An interrupt that was taken. Outside of the class whose optional it is, since Clang wants its
/// default members earlier.
struct CrossingInterrupt {
    Cycle cycle = 0;
    SeenInstruction squashed;
    void state(Archive& archive) { archive(cycle, squashed); }
};

class CrossingLog final : public HartTap,
                          private CrossingSink,
                          private SightSink,
                          private InterruptSink {
  public:
    /// CSV with a header line, one line for each crossing in order of time.
    CrossingLog(unsigned hart, OutputFile& file);

    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;

    /// The run is over: writes what still waits for its interrupt.
    void finish();
    void state(Archive& archive); ///< of a checkpoint: what waits

  private:
    /// A crossing whose interrupt has not come after as many others is written without one.
    static constexpr std::size_t kMostWaiting = std::size_t{1} << 16;

    struct Line {
        Crossing crossing;
        std::optional<SeenInstruction> cause{};
        std::optional<CrossingInterrupt> interrupt{};
        bool asks = false; ///< the cause is not known yet
        void state(Archive& archive) { archive(crossing, cause, interrupt, asks); }
    };

    Line& line(std::uint64_t number) { return lines_[number - written_]; }
    void write_first();
    void write_complete();

    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;
    void interrupted(unsigned cause, Cycle cycle, const SeenInstruction& squashed) override;

    const unsigned number_; ///< the hart's
    OutputFile& file_;
    Hart* hart_ = nullptr;
    std::uint64_t written_ = 0;         ///< lines
    std::deque<Line> lines_;            ///< those after them
    std::deque<std::uint64_t> pending_; ///< numbers of lines without an interrupt
    std::array<std::optional<CrossingInterrupt>, 2>
        last_; ///< by the kind of crossing that it delivers
};

} // namespace pes
