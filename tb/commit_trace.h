// SPDX-License-Identifier: Apache-2.0
// What retired, read back from the waveform's commit ports.
#pragma once

#include "hw/core/arch/instruction.h"
#include "tb/vcd_reader.h"

#include <functional>
#include <vector>

namespace pes {

struct Retired {
    Cycle cycle;
    Address pc;
    Instruction instruction;
};

class CommitTrace {
  public:
    explicit CommitTrace(const VcdFile& wave);

    using Condition = std::function<bool(const Retired&)>;
    /// The first one that retires in `from` or later and fulfils the condition; null if none does.
    const Retired* first(Cycle from, const Condition& condition) const;
    /// The last one that retires before `before` and fulfils the condition.
    const Retired* last(Cycle before, const Condition& condition) const;
    /// How many retire behind `start`, in program order, and before cycle `before`.
    std::size_t between(const Retired& start, Cycle before) const;

  private:
    std::vector<Retired> retired_; ///< in program order
};

} // namespace pes
