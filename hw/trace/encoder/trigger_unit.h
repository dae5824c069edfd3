// SPDX-License-Identifier: Apache-2.0
// Triggers of an encoder: what each external input and each watchpoint does (xtiControl,
// wpControl), and what makes each external output pulse (xtoControl). Eight of each.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes::trace {

inline constexpr unsigned kTriggers = 8;

/// The trigger outputs of an encoder: a pulse of one cycle, at `at`.
class TriggerOutputs {
  public:
    TriggerOutputs() = default;
    TriggerOutputs(const TriggerOutputs&) = delete;
    TriggerOutputs& operator=(const TriggerOutputs&) = delete;
    virtual ~TriggerOutputs() = default;

    virtual void pulse(unsigned output, Cycle at) = 0;
};

/// A nibble of xtiControl and wpControl. Other codes are taken as None.
enum class TriggerAction : std::uint8_t { None = 0, Start = 2, Stop = 3, RecordSync = 4 };

/// The bits of a nibble of xtoControl.
enum class TriggerCause : std::uint8_t { Start = 1, Stop = 2, ItcWrite = 4, Watchpoint = 8 };

class TriggerUnit {
  public:
    void connect(TriggerOutputs* outputs) { outputs_ = outputs; }
    void reset();

    void set_inputs(std::uint32_t control) { inputs_ = legal_actions(control); }
    void set_watchpoints(std::uint32_t control) { watchpoints_ = legal_actions(control); }
    void set_outputs(std::uint32_t control) { output_causes_ = control; }
    std::uint32_t inputs() const { return inputs_; }
    std::uint32_t watchpoints() const { return watchpoints_; }
    std::uint32_t outputs() const { return output_causes_; }

    TriggerAction input_action(unsigned input) const;
    TriggerAction watchpoint_action(unsigned id) const;
    /// Pulses every output that `cause` is selected for.
    void fire(TriggerCause cause, Cycle at) const;

  private:
    static std::uint32_t legal_actions(std::uint32_t control);

    std::uint32_t inputs_ = 0;
    std::uint32_t watchpoints_ = 0;
    std::uint32_t output_causes_ = 0;
    TriggerOutputs* outputs_ = nullptr;
};

} // namespace pes::trace
