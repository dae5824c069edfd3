// SPDX-License-Identifier: Apache-2.0
// The handlers of a block as native code. Those without code of their own are called. A result is
// read from the host's register that it was computed in, and only written to the guest's if another
// one does not take its place before anybody can see it.
#pragma once

#include "hw/core/blocks/native/code_writer.h"

#include <cstddef>
#include <cstdint>

namespace pes::native {

class InstructionCode {
  public:
    InstructionCode(CodeWriter& writer, Node& node) : w_(writer), node_(node) {}

    /// What the block's handlers do, up to its end. The next pc of a branch is left to
    /// branch_goes().
    void handlers();
    /// Jumps to `otherwise` unless the conditional branch at the block's end goes to `taken`.
    void branch_goes(bool taken, const Label& otherwise);

    // For the table of instructions
    /// `to` gets the value of `source`, and may then be changed.
    void get(const x86::Gp& to, RegisterIndex source);
    bool is_in_rax(RegisterIndex source) const {
        return source != kNoRegister && source == held_.rax;
    }
    bool is_in_rcx(RegisterIndex source) const {
        return source != kNoRegister && source == held_.rcx;
    }
    bool is_overwritten() const { return is_overwritten_; }
    void set_register(RegisterIndex rd, const x86::Gp& value);
    void change_register(RegisterIndex rd); ///< its value in memory is another one now
    x86::Assembler& a() { return w_.a; }
    CodeWriter& writer() { return w_; }
    enum class Extension : std::uint8_t { Sign, Zero, Box };
    void load(const Instruction& instruction, Extension extension);
    void store(const Instruction& instruction);
    void link(const Instruction& instruction);

  private:
    void one(const Instruction& instruction, std::size_t index);
    bool only_computes(const Instruction& instruction) const;
    bool next_overwrites(const Instruction& instruction) const;
    void call_handler(const Instruction& instruction, std::size_t index);
    void host_page(const Instruction& instruction, Access access, const Label& slow);
    void plain_page(const Instruction& instruction, Access access, const Label& slow);
    void needs_float(RegisterIndex index, const Label& slow);
    void slowly(const Instruction& instruction, const Label& slow, const Label& done);

    /// What registers of the host have, too; kNoRegister: nothing.
    struct Held {
        RegisterIndex rax = kNoRegister, rcx = kNoRegister;
    };
    RegisterIndex* held_in(const x86::Gp& host);

    CodeWriter& w_;
    Node& node_;
    Held held_;
    bool is_overwritten_ = false; ///< the result of the instruction in hand, by the next one
    std::size_t index_ = 0;       ///< of the instruction in hand
    std::size_t facts_ = 0;       ///< noted so far
};

} // namespace pes::native
