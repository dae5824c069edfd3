// SPDX-License-Identifier: Apache-2.0
// The instructions behind one that will throw them away when it retires: until then they issue,
// wait for each other's results and take entries of the scoreboard. None of them retires.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/timing/code_reader.h"
#include "hw/core/timing/frontend/control_flow.h"
#include "hw/core/timing/issue/scoreboard.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes {

class DiscardedInstructions {
  public:
    /// Where register values come from: the reader, except the destination of the instruction
    /// issued last, whose result does not exist yet.
    struct Registers {
        const CodeReader& reader;
        Tables& tables;
        RegisterIndex pending;
    };

    /// `atomic_taken`: the cycle in which the unit took an AMO, LR or SC that waits to retire;
    /// kNever if there is none.
    DiscardedInstructions(const Scoreboard& scoreboard, const Registers& registers,
                          Cycle atomic_taken)
        : scoreboard_(scoreboard), registers_(registers), atomic_taken_(atomic_taken) {}

    /// Cycles of one of them, or of the instruction that discards them.
    struct Stages {
        Cycle decode = 0;
        Cycle issue = 0;
        Address pc = 0;
    };

    struct Operand {
        Cycle ready;
        TimingClass writer;
    };

    /// The operand that is ready last, the first of those that are ready together.
    Operand last_operand(const Instruction& instruction) const {
        Operand last = operand(instruction.rs1);
        for (const RegisterIndex other : {instruction.rs2, instruction.rs3}) {
            const Operand candidate = operand(other);
            last = candidate.ready > last.ready ? candidate : last;
        }
        return last;
    }
    Operand operand(RegisterIndex index) const {
        for (std::size_t age = count_; age != 0; --age) {
            if (issued_[age - 1].rd == index) {
                return issued_[age - 1].result;
            }
        }
        return {.ready = scoreboard_.register_ready(index), .writer = scoreboard_.writer(index)};
    }

    /// Cycle in which the latest writer of the destination retires.
    Cycle writer_retires(const Instruction& instruction) const {
        for (std::size_t age = count_; age != 0; --age) {
            if (issued_[age - 1].rd == instruction.rd) {
                return instruction.rd == kSinkRegister ? 0 : kNever;
            }
        }
        return scoreboard_.writer_retires(instruction);
    }

    /// The value that one of them reads; none if it is not known or will never exist.
    std::optional<RegisterValue> known_value(RegisterIndex index) const;
    std::uint64_t number(const RegisterValue& value) const {
        return value.offset + registers_.reader.integer_register(value.base).value_or(0);
    }
    /// What it gives its unit as the second operand. [core/issue_read_operands.sv]
    std::optional<RegisterValue> second_operand(const Instruction& instruction) const;
    /// What those behind the AMO that was issued first get for its result.
    void passes_on(const std::optional<RegisterValue>& value);
    /// Where one of them accesses memory.
    std::optional<RegisterValue> address(const Instruction& access) const {
        const auto base = known_value(access.rs1);
        return base ? std::optional(base->plus(static_cast<std::uint64_t>(access.imm)))
                    : std::nullopt;
    }

    /// The value that one of them writes. Known only for the instructions that count loops and
    /// compute addresses.
    std::optional<RegisterValue> written_value(const Instruction& instruction, Address pc) const;

    /// What a branch or indirect jump among them does, if its operands are known.
    struct Outcome {
        Address next = 0;
        bool taken = false;
    };
    std::optional<Outcome> resolved(const Instruction& instruction, const ControlFlow& flow) const;

    /// The target of a branch among them is not known: those behind it may be on the wrong path.
    void lose_way() { way_lost_ = true; }
    bool way_lost() const { return way_lost_; }

    /// First cycle with a free entry.
    Cycle entry_free() const { return scoreboard_.entry_free(count_); }

    void issue(const Instruction& instruction, Cycle result,
               const std::optional<RegisterValue>& value) {
        const RegisterValue left = value.value_or(RegisterValue());
        issued_[count_++] = {.rd = instruction.rd,
                             .known = value.has_value(),
                             .base = left.base,
                             .result = {.ready = result, .writer = instruction.timing},
                             .offset = left.offset};
    }

    /// A load, store or AMO issues in `cycle` and arrives in `arrival`: false if an AMO in front of
    /// it holds the unit. While one is in the AMO buffer, which has one entry, no store is taken
    /// either. [core/amo_buffer.sv, core/store_unit.sv]
    bool enters_unit(const Instruction& instruction, Cycle cycle, Cycle arrival) {
        if (unit_held_from_ != kNever) {
            return false;
        }
        if (instruction.timing == TimingClass::Load) {
            return true;
        }
        const bool atomic = is_atomic(instruction.timing);
        const bool enters =
            atomic_taken_ == kNever || (!atomic && arrival <= atomic_taken_ + kToBuffer);
        if (!enters) {
            unit_held_from_ = cycle + kOnItsWay;
        } else if (atomic) {
            atomic_taken_ = arrival;
        }
        return enters;
    }
    /// A store among them, to an address that is known; it will not leave the store buffer.
    void note_store(const RegisterValue& address) {
        stores_[store_count_++ % stores_.size()] = address;
    }
    /// Whether a load has to wait for one of them.
    bool conflicts(const RegisterValue& load) const;

    /// The first cycle in which the unit takes nothing more.
    Cycle unit_held_from() const { return unit_held_from_; }

  private:
    static constexpr Cycle kOnItsWay = 2; ///< one access behind it has been taken
    static constexpr Cycle kToBuffer = 1; ///< the AMO is on its way there

    /// What the latest writer among them leaves in a register, if there is one and it is known.
    struct Written {
        bool written;
        bool known;
        RegisterValue value;
    };
    Written written(RegisterIndex index) const;

    /// Without a constructor, since most are never used: `base` and `offset` are a RegisterValue.
    struct Issued {
        RegisterIndex rd;
        bool known;
        RegisterIndex base;
        Operand result;
        std::uint64_t offset;
    };

    const Scoreboard& scoreboard_;
    Registers registers_;
    Cycle atomic_taken_;
    bool way_lost_ = false;
    Cycle unit_held_from_ = kNever;
    std::array<Issued, Scoreboard::kMaximum> issued_; ///< the first `count_` of them
    std::size_t count_ = 0;
    std::array<RegisterValue, 8> stores_{};
    std::size_t store_count_ = 0;
};

} // namespace pes
