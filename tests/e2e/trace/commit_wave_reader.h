// SPDX-License-Identifier: Apache-2.0
// What a hart did, out of the waveform of its commit stage (--vcd-groups commit): a source that
// knows nothing of the trace.
#pragma once

#include "tb/vcd_reader.h"

#include <optional>
#include <vector>

namespace pes::test {

/// An instruction that retired, or a trap that was taken in front of one.
struct CommitStep {
    enum class Kind : std::uint8_t { Instruction, Trap };

    Cycle cycle = 0;
    Kind kind = Kind::Instruction;
    /// Of the instruction; of a trap xepc, which is in the wave if machine mode handles it.
    std::optional<Address> address;
};

/// All of one hart, in order. `scope`: "hart0" in a wave of several harts.
std::vector<CommitStep> read_commits(const VcdFile& wave, const std::string& scope);

} // namespace pes::test
