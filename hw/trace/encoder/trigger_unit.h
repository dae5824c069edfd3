// SPDX-License-Identifier: Apache-2.0
// xtiControl: what each trigger input of an encoder does. Input n is line n of the hart's counters.
#pragma once

#include "hw/common/counter_bank.h"

#include <cstdint>

namespace pes::trace {

inline constexpr unsigned kTriggerInputs = kBankLineCount;

/// A nibble of xtiControl. Other codes are taken as None.
enum class TriggerAction : std::uint8_t { None = 0, Start = 2, Stop = 3, RecordSync = 4 };

class TriggerUnit {
  public:
    void reset() { inputs_ = 0; }
    std::uint32_t inputs() const { return inputs_; }
    /// WARL: the nibbles of inputs that do not exist are 0.
    void set_inputs(std::uint32_t control);
    TriggerAction action(unsigned input) const;
    void state(class Archive& archive); ///< of a checkpoint

  private:
    std::uint32_t inputs_ = 0;
};

} // namespace pes::trace
