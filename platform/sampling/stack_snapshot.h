// SPDX-License-Identifier: Apache-2.0
// What the call stack of a sample is found from when its programs are known only after the run: the
// registers and the inner end of the stack, between two instructions.
#pragma once

#include "hw/core/hart.h"
#include "platform/program/call_frames.h"

#include <cstddef>
#include <span>
#include <vector>

namespace pes {

class StackSnapshot {
  public:
    /// Bytes from sp on, fewer if no more are mapped; as many as perf keeps.
    static constexpr std::size_t kBytes = 8192;

    StackSnapshot(Hart& hart, Address pc);

    /// calls_around() of then. `place` is of the address space.
    std::vector<Address> calls_around(Address sampled, const CallFrames& frames,
                                      CallFrames::Place place) const;

  private:
    bool read(Address address, std::span<std::byte> bytes) const;

    Address pc_;
    CallFrames::Registers registers_{};
    std::vector<std::byte> stack_; ///< from sp on
};

} // namespace pes
