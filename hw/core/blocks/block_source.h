// SPDX-License-Identifier: Apache-2.0
// Finds and builds the blocks of the memo, from instructions that the Stepper has decoded, so that
// both paths decode at the same time.
#pragma once

#include "hw/core/blocks/block.h"
#include "hw/core/blocks/memo.h"
#include "hw/core/blocks/path_statistics.h"
#include "hw/core/hart_parts.h"

#include <cstddef>

namespace pes {

class BlockSource {
  public:
    BlockSource(HartParts& parts, Memo& memo) : hart_(parts), memo_(memo) {}

    /// The block at the pc. Null if the instruction is not decoded yet or not allowed in blocks.
    const Block* here();
    /// Why here() has found none.
    LeftFor why_none() const;
    /// The first `count` instructions of a block.
    const Block& part(const Block& whole, std::size_t count, BlockExtent extent);
    /// Of a block across pages: they still hold it.
    bool holds(const Block& across_pages) const;

  private:
    /// Completes a block and adds it to the memo.
    const Block& add(NewBlock& draft);
    const Block* build(Address physical);
    const Block* build_across_pages(Address physical);

    HartParts& hart_;
    Memo& memo_;
};

} // namespace pes
