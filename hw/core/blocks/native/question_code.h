// SPDX-License-Identifier: Apache-2.0
// The questions of a path as native code: each is compared with the answer of the path. Where the
// usual answer can be seen in a few instructions, the code looks itself; else it asks the tables.
#pragma once

#include "hw/core/blocks/native/code_writer.h"
#include "hw/core/blocks/native/instruction_code.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace pes::native {

class QuestionCode {
  public:
    /// Writes what happens with an answer, in rax, that is not the path's.
    using Otherwise = std::function<void()>;

    QuestionCode(CodeWriter& writer, InstructionCode& instructions, Node& node)
        : w_(writer), instructions_(instructions), node_(node),
          tables_(writer.hart.pipeline.tables()) {}

    /// The path's questions about L1I. False if whether one is answered so depends on what another
    /// one has thrown out, or if the memo may come to ask otherwise (CodeAt).
    bool find_lines(NativePath& path) const;
    /// All of its own questions about L1I at once. Unless their answers are the path's, writes what
    /// happens then.
    void code(NativePath& path, const Otherwise& otherwise);
    /// The path's fills.
    void fill(NativePath& path);

    /// A question with the path's answer. In its `place` in the tree it may have another one.
    void question(const Asked& place, const Question& asked, const Otherwise& otherwise);

  private:
    /// What code has been written for a question.
    enum class Seen : std::uint8_t {
        Nothing,
        Usual, ///< falls through if the answer is the path's, else jumps to `unsure`
        All,   ///< the answer is certain, and what it changes has been changed
    };
    Seen look(const Question& asked, const Label& unsure);
    bool next_pc(std::uint64_t answer, const Otherwise& otherwise);
    void branch_direction(const Question& asked, const Label& unsure);
    void send_branch(const Question& asked);
    void send_jump(const Question& asked);
    void pop_return(Address top, const Label& unsure);
    void push_return(Address link);
    void arrive(std::uint64_t updates);
    void update_arrives(const Label& unsure);
    void read_line(const Question& asked, const Label& unsure);
    void conflicting_store(const Question& asked, const Label& unsure);
    bool find_write(const Question& asked, std::uint64_t ages, std::uint64_t found,
                    const Label& unsure);
    bool push_write(const Question& asked);
    void tag_of(const asmjit::x86::Gp& tag, const asmjit::x86::Gp& double_word);
    void ask(const Asked& place, const Question& asked);
    x86::Mem fact(const Question& asked) { return w_.fact(asked.operand); }

    CodeWriter& w_;
    InstructionCode& instructions_;
    Node& node_;
    Tables& tables_;
};

} // namespace pes::native
