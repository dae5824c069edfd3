// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/trigger_unit.h"

namespace pes::trace {
namespace {

constexpr unsigned kNibble = 4; // bits
constexpr std::uint32_t kNibbleMask = 15;

std::uint32_t nibble(std::uint32_t control, unsigned index) {
    return index < kTriggers ? (control >> (kNibble * index)) & kNibbleMask : 0;
}

TriggerAction legal_action(std::uint32_t code) {
    switch (const auto action = static_cast<TriggerAction>(code)) {
    case TriggerAction::Start:
    case TriggerAction::Stop:
    case TriggerAction::RecordSync:
        return action;
    default:
        return TriggerAction::None;
    }
}

} // namespace

void TriggerUnit::reset() {
    inputs_ = 0;
    watchpoints_ = 0;
    output_causes_ = 0;
}

std::uint32_t TriggerUnit::legal_actions(std::uint32_t control) {
    std::uint32_t legal = 0;
    for (unsigned index = 0; index < kTriggers; ++index) {
        const auto action = static_cast<std::uint32_t>(legal_action(nibble(control, index)));
        legal |= action << (kNibble * index);
    }
    return legal;
}

TriggerAction TriggerUnit::input_action(unsigned input) const {
    return static_cast<TriggerAction>(nibble(inputs_, input));
}

TriggerAction TriggerUnit::watchpoint_action(unsigned id) const {
    return static_cast<TriggerAction>(nibble(watchpoints_, id));
}

void TriggerUnit::fire(TriggerCause cause, Cycle at) const {
    if (outputs_ == nullptr) {
        return;
    }
    for (unsigned output = 0; output < kTriggers; ++output) {
        if ((nibble(output_causes_, output) & static_cast<std::uint32_t>(cause)) != 0) {
            outputs_->pulse(output, at);
        }
    }
}

} // namespace pes::trace
