// SPDX-License-Identifier: Apache-2.0
// What native code needs of the fast path around it: the members that it reads and writes, and the
// functions that it leaves to.
#pragma once

#include "hw/core/blocks/block_limits.h"
#include "hw/core/blocks/memo.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pes {

class BlockRunner;

/// Questions of one node that lie behind each other in the memo, and what comes of them: a path
/// from a node's first question, or from another answer to one of them, to an outcome.
struct NativePath {
    Node* node = nullptr;
    Asked* first = nullptr;              ///< with those behind it up to Query::End
    std::vector<std::uint64_t> before{}; ///< the answers to the questions before it
    Outcome* outcome = nullptr;
    Address next_pc = 0;        ///< of what follows
    std::uint64_t fills = 0;    ///< of L1I when its questions about code were answered last
    const void* back = nullptr; ///< its way back to the loop over blocks
    const void* link = nullptr; ///< the code that runs next: that of `next`, or `back`
    const Node* next = nullptr; ///< null: not known
};

/// Each exit continues where native code has stopped, and returns what the loop over blocks does
/// next: a node, or null to step.
struct NativeExits {
    /// The node's block could reach the limit. Nothing of it has happened.
    Node* (*at_limit)(BlockRunner& runner, Node& node);
    /// The handler of the block's instruction `index` has stopped it.
    Node* (*stopped)(BlockRunner& runner, Node& node, std::size_t index);
    /// All handlers have run; the path's question `index` has been given another answer.
    Node* (*answered)(BlockRunner& runner, NativePath& path, std::size_t index,
                      std::uint64_t answer);
    /// All handlers have run; a question about code has another answer, and none of the questions
    /// from `path.first` on has been asked.
    Node* (*unanswered)(BlockRunner& runner, NativePath& path);
    /// The path's outcome has been replayed; what follows is not linked to it.
    Node* (*behind)(BlockRunner& runner, NativePath& path);

    // These return to the code.
    void (*pause)(BlockRunner& runner);
    /// The code that runs behind the path, in another page: its link or its way back.
    const void* (*follow)(BlockRunner& runner, NativePath& path);
    std::uint64_t (*ask)(BlockRunner& runner, Asked& asked);
};

struct NativeContext {
    BlockRunner* runner;
    Memo* memo;
    const Cycle* limit;       ///< a block begins only if it ends before; with neighbours, only
                              ///< before HartTime::turn_end, which it may pass
    const Outcome** replayed; ///< a ring of 256, the only thing that a replayed block leaves
    std::size_t* replayed_count;
    const std::size_t* pause_at; ///< the count with which NativeExits::pause is called
    NativeExits exits;
};

} // namespace pes
