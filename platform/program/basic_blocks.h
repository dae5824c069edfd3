// SPDX-License-Identifier: Apache-2.0
// The basic blocks of a program, from its code: stretches that control enters at the first
// instruction only and leaves behind the last. A block begins
//   * where a function begins,
//   * at the target of a direct branch or jump,
//   * behind an instruction that transfers control: branch, jump, call, return, xRET,
//   * where code begins, or begins again behind bytes that are no instruction.
// A target of an indirect jump that is none of these (a case of a jump table behind a case that
// falls through) is not seen. Instructions that only may trap (ECALL, loads) end no block.
#pragma once

#include "hw/interface/types.h"

#include <utility>
#include <vector>

namespace pes {

namespace trace {
class CodeSegment;
class ProgramImage;
} // namespace trace

struct BasicBlock {
    Address begin = 0;
    Address end = 0; ///< one past the last byte

    bool operator==(const BasicBlock&) const = default;
};

class BasicBlocks {
  public:
    /// `entries`: where functions begin; those outside of the code do not count.
    BasicBlocks(const trace::ProgramImage& code, std::vector<Address> entries);

    /// The block around the address, or null.
    const BasicBlock* find(Address pc) const;
    /// By address.
    const std::vector<BasicBlock>& all() const { return blocks_; }

  private:
    using Stretch = std::pair<Address, Address>; ///< of code: begin, and one past the last byte

    void walk(const trace::CodeSegment& segment, Address begin, Address end);
    void divide(const Stretch& stretch);

    std::vector<Address> leaders_;   ///< only while the blocks are made
    std::vector<Stretch> stretches_; ///< so are these
    std::vector<BasicBlock> blocks_;
};

} // namespace pes
