// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/trigger_unit.h"

namespace pes::trace {
namespace {

constexpr unsigned kNibble = 4; // bits
constexpr std::uint32_t kNibbleMask = 15;

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

void TriggerUnit::set_inputs(std::uint32_t control) {
    inputs_ = 0;
    for (unsigned input = 0; input < kTriggerInputs; ++input) {
        const TriggerAction action = legal_action(control >> kNibble * input & kNibbleMask);
        inputs_ |= static_cast<std::uint32_t>(action) << kNibble * input;
    }
}

TriggerAction TriggerUnit::action(unsigned input) const {
    return input < kTriggerInputs
               ? static_cast<TriggerAction>(inputs_ >> kNibble * input & kNibbleMask)
               : TriggerAction::None;
}

} // namespace pes::trace
