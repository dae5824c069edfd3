// SPDX-License-Identifier: Apache-2.0
// The paths of one node as native code: the check of the limit, the block's handlers, then the tree
// of those questions and answers that were taken often, each path to its outcome.
#pragma once

#include "hw/core/blocks/native/code_writer.h"
#include "hw/core/blocks/native/instruction_code.h"
#include "hw/core/blocks/native/native_code.h"
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
                 const SharedCode& shared, Node& node, std::deque<NativePath>& paths,
                 std::uint64_t often);

    /// Blocks that end with system instructions, device accesses, reads of counters or walks, or
    /// depend on what lies in two pages are left out.
    static bool can_compile(const Memo& memo, const Node& node);
    /// False: there is no code.
    bool write();
    /// Each path, and the place of its way back to the loop over blocks.
    using End = std::pair<NativePath*, Label>;
    std::span<const End> ends() const { return ends_; }

  private:
    static constexpr std::size_t kMostPaths = 16;
    /// To leave code in the middle of a block, or to look for other lines, costs more than the loop
    /// over blocks does: of kOfAll times a node is run, kUsual must do without.
    static constexpr std::uint64_t kUsual = 1, kOfAll = 2;
    /// Code that fills lines is mostly not in the caches of the host either, where the loop over
    /// blocks knows what to fetch: it must be for so many times hart.jit_after.
    static constexpr std::uint64_t kFilling = NativeCode::kOften;

    using Way = std::vector<Asked*>;
    /// A path that may get code.
    struct Candidate {
        Way way;
        std::uint64_t times; ///< that it was taken
    };

    Question question(Asked asked) const { return w_.context.memo->question(asked, *node_.block); }
    void find_candidates(Asked& first, Way& way);
    bool are_usual() const;
    NativePath* take(Candidate& candidate, std::size_t own);
    void path(NativePath& path);
    void rest(NativePath& path);
    void other_lines(NativePath& path);
    void other_answers(const NativePath& path, std::size_t number);
    Label answered(const NativePath& path);
    void end(NativePath& path);
    void go_on(NativePath& path);

    CodeWriter w_;
    Node& node_;
    InstructionCode instructions_;
    QuestionCode questions_;
    std::deque<NativePath>& paths_;
    std::uint64_t often_;
    std::uint64_t taken_ = 0;           ///< times that any path was
    std::vector<Candidate> candidates_; ///< that have none yet, the busiest first
    using Answered = std::pair<const NativePath*, Label>;
    std::vector<Answered> answered_;
    std::vector<End> ends_;
};

} // namespace pes::native
