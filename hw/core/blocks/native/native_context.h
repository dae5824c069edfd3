// SPDX-License-Identifier: Apache-2.0
// What native code needs of the fast path around it: the members that it reads and writes, and the
// functions that it leaves to.
#pragma once

#include "hw/core/blocks/block_limits.h"
#include "hw/core/blocks/memo.h"
#include "hw/core/timing/tables/cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pes {

class BlockRunner;

/// A question of a path about L1I, with its answer.
struct CodeQuestion {
    Address physical = 0;
    std::uint32_t number = 0; ///< of the path's question
    bool there = false;
    bool fills = false;
};

/// A path from a node's first question to an outcome. Those of its questions that are about L1I,
/// which depend on no others, are answered together before the rest, and fill nothing until all
/// answers are known.
struct NativePath {
    Node* node = nullptr;
    std::vector<Asked*> asked{};       ///< without Query::End
    std::size_t own = 0;               ///< of those: what the code has asked before it comes here
    std::vector<CodeQuestion> lines{}; ///< about L1I, of all of them
    Outcome* outcome = nullptr;
    Address next_pc = 0;        ///< of what follows
    std::uint64_t fills = 0;    ///< of L1I when its questions about code were answered last
    const void* back = nullptr; ///< its way back to the loop over blocks
    const void* link = nullptr; ///< the code that runs next: that of `next`, or `back`
    const Node* next = nullptr; ///< null: not known

    /// The question with its first answer in the tree.
    Asked& first_of(std::size_t number) const {
        return number == 0 ? *node->questions : asked[number - 1][1];
    }
    bool fills_lines() const { return std::ranges::any_of(lines, &CodeQuestion::fills); }
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
    /// All handlers have run; a question about code has another answer, and none of the path's own
    /// questions has been asked.
    Node* (*unanswered)(BlockRunner& runner, NativePath& path);
    /// The path's outcome has been replayed; what follows is not linked to it.
    Node* (*behind)(BlockRunner& runner, NativePath& path);

    // These return to the code.
    void (*pause)(BlockRunner& runner);
    /// The code that runs behind the path, in another page: its link or its way back.
    const void* (*follow)(BlockRunner& runner, NativePath& path);
    std::uint64_t (*ask)(BlockRunner& runner, const Node& node, const Asked& asked);
};

/// How far native code goes on by itself.
struct NativePlan {
    Cycle limit = 0;          ///< a block begins only if it ends before; with neighbours, only
                              ///< before HartTime::turn_end, which it may pass
    std::size_t look_at = 0;  ///< from this count of replayed blocks on, each looks at those below
    std::size_t pause_at = 0; ///< with this count NativeExits::pause is called,
    std::uint64_t room = 0;   ///< or as soon as more pulses of `scarce` than these have come
    std::uint64_t scarce = 0; ///< index of Outcome::events
};

struct NativeContext {
    BlockRunner* runner;
    Memo* memo;
    NativePlan* plan;
    const Outcome** replayed; ///< a ring of 256, the only thing that a replayed block leaves
    std::size_t* replayed_count;
    NativeExits exits;
};

} // namespace pes
