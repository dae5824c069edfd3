// SPDX-License-Identifier: Apache-2.0
// Records enough of an RTL model's recent past to show it as a waveform afterwards: its state every
// kInterval cycles, and the inputs since the last but one of these states. It costs one copy of the
// inputs per cycle; signals are only dumped in a replay.
#pragma once

#include "hw/hpm/rtl_model.h"

#include <optional>
#include <string>
#include <vector>

namespace pes {

class RtlRecorder {
  public:
    /// The window has between one and two intervals.
    static constexpr std::size_t kInterval = 1024;

    /// `model` before its first cycle.
    explicit RtlRecorder(RtlModel& model);

    /// Call after each cycle of the model; `now` is that cycle.
    void record(const RtlModel::Inputs& inputs, Cycle now) {
        inputs_.push_back(inputs);
        if (inputs_.size() - present_begin_ == kInterval) {
            checkpoint(now);
        }
    }

    /// The window up to the last recorded cycle as a value change dump, with a fresh model of the
    /// same kind, and the beginning of the next cycle if `read` is a CSR that is read in it.
    void replay(RtlModel& fresh, RtlModel::DumpText text, std::optional<std::uint16_t> read) const;
    struct PastCycle {
        Cycle cycle = 0;
        RtlModel::Inputs inputs;
        void state(class Archive& archive);
    };
    /// An event pulses or an instruction retires.
    static bool has_pulses(const PastCycle& past) {
        return (past.inputs.pulses - event_bit(Event::None)).any() || past.inputs.retired != 0;
    }
    /// The latest kPulses cycles with pulses, oldest first, and the cycles with only a CSR write
    /// since the first of them. Each source, and CSR writes, have the same share, so that a source
    /// that pulses in nearly every cycle leaves room for the others; unused shares go to the latest
    /// cycles.
    std::vector<PastCycle> last_pulses() const;
    /// False if the model cannot be saved; then there is no replay().
    bool can_replay() const { return model_->can_save(); }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kPulses = 32;

    struct Checkpoint {
        std::string state_bytes;
        Cycle next = 1; ///< the first cycle after it
        void state(class Archive& archive);
    };

    void checkpoint(Cycle now);
    void save();
    /// The last kPulses cycles of each source, retirement and CSR writes included, from before
    /// inputs_[end].
    std::vector<PastCycle> past_before(std::size_t end) const;

    RtlModel* model_;
    Checkpoint before_, present_;
    std::vector<PastCycle> earlier_;       ///< past_before() of before_
    std::vector<RtlModel::Inputs> inputs_; ///< since before_
    std::size_t present_begin_ = 0;        ///< inputs_ from here on came after present_
};

} // namespace pes
