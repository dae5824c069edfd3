// SPDX-License-Identifier: Apache-2.0
// The paths of one node as native code: the check of the limit, the block's handlers, then the tree
// of those questions and answers that were taken often, each path to its outcome.
#pragma once

#include "hw/core/blocks/native/code_writer.h"
#include "hw/core/blocks/native/instruction_code.h"
#include "hw/core/blocks/native/question_code.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace pes::native {

class PathCompiler {
  public:
    /// The paths are added to `paths`, where they stay.
    PathCompiler(asmjit::CodeHolder& code, HartParts& hart, const NativeContext& context,
                 const Exits& exits, Node& node, std::deque<NativePath>& paths,
                 std::uint64_t often);

    /// Blocks that end with system instructions, device accesses, reads of counters or walks, or
    /// depend on what lies in two pages are left out, and those that usually fill lines of L1I:
    /// their questions have to be asked one by one, which the loop over blocks does faster.
    static bool can_compile(const Node& node);
    /// False: there is no code.
    bool write();
    /// Each path, and the place of its way back to the loop over blocks.
    using End = std::pair<NativePath*, Label>;
    std::span<const End> ends() const { return ends_; }

  private:
    static constexpr std::size_t kMostPaths = 16;

    void path(NativePath& path);
    void other_answers(const NativePath& path, std::size_t index, const Asked& asked);
    NativePath& add_path(Asked& first, std::vector<std::uint64_t> before, Address next_pc);
    bool taken_often(const Asked& first) const;
    void end(NativePath& path);
    void go_on(NativePath& path);

    CodeWriter w_;
    Node& node_;
    InstructionCode instructions_;
    QuestionCode questions_;
    std::deque<NativePath>& paths_;
    std::uint64_t often_;
    std::size_t written_ = 0; ///< paths
    std::vector<End> ends_;
};

} // namespace pes::native
