// SPDX-License-Identifier: Apache-2.0
// Registers in flight and the order of retirement.
//
// Retirement: two ports (or one), in order. An instruction shares the cycle of the one before it
// only if that one is alone so far and neither a CSR instruction nor an AMO, and it itself is an
// ALU, branch, multiply, load or FPU instruction without exception.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace pes {

/// What an instruction may share a retirement cycle with.
enum class RetirePort : std::uint8_t {
    Any,   ///< either port
    First, ///< first port only; the second may follow it (stores)
    Alone, ///< first port, and the second stays empty (CSR instructions, AMO, exceptions)
};

class Scoreboard {
  public:
    static constexpr std::size_t kMaximum = 64;

    /// `entries` is a power of two. `ports` of retirement: 1 or 2.
    Scoreboard(std::size_t entries, unsigned ports)
        : entry_mask_(entries - 1), behind_(ports == 2 ? Port::Open : Port::Closed) {}

    /// First cycle in which the operands can all be forwarded or read.
    Cycle operands_ready(const Instruction& instruction) const {
        return std::max(
            {result_[instruction.rs1], result_[instruction.rs2], result_[instruction.rs3]});
    }

    /// The source register that is ready last, the first of those that are ready together.
    RegisterIndex last_operand(const Instruction& instruction) const {
        RegisterIndex last = instruction.rs1;
        for (const RegisterIndex other : {instruction.rs2, instruction.rs3}) {
            last = result_[other] > result_[last] ? other : last;
        }
        return last;
    }
    Cycle register_ready(RegisterIndex index) const { return result_[index]; }

    /// The class of the latest writer, if note_writer() was called.
    TimingClass writer(RegisterIndex index) const { return writers_[index]; }
    void note_writer(RegisterIndex rd, TimingClass timing) { writers_[rd] = timing; }

    /// Cycle in which the latest writer of the destination retires.
    Cycle writer_retires(const Instruction& instruction) const { return retires_[instruction.rd]; }

    /// First cycle with a free entry.
    Cycle entry_free() const { return entry_free_; }
    /// The same with `ahead` more entries in use.
    Cycle entry_free(std::size_t ahead) const {
        return ahead > entry_mask_ ? kNever : entry_retired_[(count_ + ahead) & entry_mask_] + 1;
    }

    /// Retires an instruction that is ready to retire in `ready`. `result` is the cycle from which
    /// its value is forwarded.
    Cycle retire(RegisterIndex rd, Cycle ready, Cycle result, RetirePort port) {
        const Cycle cycle = retire_cycle(ready, port);
        port_ = cycle == last_ || port == RetirePort::Alone ? Port::Closed : behind_;
        last_ = cycle;
        const std::size_t count = count_, mask = entry_mask_;
        entry_retired_[count & mask] = cycle;
        entry_free_ = entry_retired_[(count + 1) & mask] + 1;
        count_ = count + 1;
        written_ |= bit_of(rd);
        result_[rd] = result;
        retires_[rd] = cycle;
        result_[kSinkRegister] = retires_[kSinkRegister] =
            0; // x0 never waits and is never waited for
        return cycle;
    }

    /// The latest writer's value, if it was due in `from`, is ready in `to` only. Its retirement
    /// and the following ones: see last_retirements.h.
    void put_off(RegisterIndex rd, Cycle from, Cycle to) {
        if (result_[rd] == from) {
            written_ |= bit_of(rd);
            result_[rd] = to;
            retires_[rd] = std::max(retires_[rd], to + 1);
        }
    }

    /// The instruction of this age, 1 being the last, retires in `cycle` instead.
    void retired_again(std::size_t age, Cycle cycle) {
        entry_retired_[(count_ - age) & entry_mask_] = cycle;
        entry_free_ = entry_retired_[count_ & entry_mask_] + 1;
    }
    /// The last one retires in `cycle`; `closed`: nothing else can retire in that cycle.
    void last_again(Cycle cycle, bool closed) {
        last_ = cycle;
        port_ = closed ? Port::Closed : behind_;
    }

    /// The cycle in which an instruction would retire.
    Cycle retire_cycle(Cycle ready, RetirePort port) const {
        if (ready > last_) {
            return ready;
        }
        return port == RetirePort::Any && port_ == Port::Open ? last_ : last_ + 1;
    }

    /// Nothing else retires up to and including `cycle`.
    void halt_through(Cycle cycle) {
        if (cycle > last_) {
            last_ = cycle;
            port_ = Port::Closed;
        }
    }

    Cycle last_retirement() const { return last_; }
    /// The first cycle in which the next instruction can retire; it issues in `issue` or later.
    Cycle next_retirement(Cycle issue) const {
        return std::max(port_ == Port::Open ? last_ : last_ + 1, issue + 1);
    }

    /// See timing_state.h. `decode` is that of the last instruction: the next one needs operands
    /// and an entry two cycles later at the earliest, and retires after that.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode) {
        const Cycle issue = decode + 2;
        registers_in_flight(archive, issue);
        for (std::size_t age = 0; age <= entry_mask_; ++age) {
            archive.cycle(entry_retired_[(count_ + age) & entry_mask_], issue - 1);
        }
        entry_free_ = entry_retired_[count_ & entry_mask_] + 1;
        archive.cycle(last_, issue);
        bool open = last_ > issue && port_ == Port::Open;
        archive.flag(open);
        port_ = open ? Port::Open : Port::Closed;
    }

    /// The same for the results of writer().
    template <typename Archive>
    void relative_writers(Archive& archive, Cycle decode) {
        for (RegisterIndex index = 1; index < kSinkRegister; ++index) {
            const bool waited_for = result_[index] > decode + 2;
            auto timing = waited_for ? static_cast<std::uint64_t>(writers_[index]) : 0;
            archive.number(timing);
            writers_[index] = static_cast<TimingClass>(timing);
        }
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// Most registers are not: which are comes first.
    template <typename Archive>
    void registers_in_flight(Archive& archive, Cycle issue) {
        for (std::uint64_t left = written_; left != 0; left &= left - 1) {
            const auto index = static_cast<std::size_t>(std::countr_zero(left));
            if (!Archive::kSaves) {
                result_[index] = retires_[index] = 0; // others are there already
            } else if (result_[index] <= issue && retires_[index] <= issue) {
                written_ ^= std::uint64_t{1} << index;
            }
        }
        archive.bits(written_);
        for (std::uint64_t left = written_; left != 0; left &= left - 1) {
            const auto index = static_cast<std::size_t>(std::countr_zero(left));
            archive.cycle(result_[index], issue);
            archive.cycle(retires_[index], issue);
        }
    }

    /// The sink shares that of x0, which is never in flight.
    static constexpr std::uint64_t bit_of(RegisterIndex rd) {
        return std::uint64_t{1} << (rd % kSinkRegister);
    }

    enum class Port : std::uint8_t { Open, Closed };

    std::uint64_t written_ = 0; ///< bit n: register n since it was seen to be there last
    std::array<Cycle, kSinkRegister + 1> result_{};
    std::array<Cycle, kSinkRegister + 1> retires_{};
    std::array<TimingClass, kSinkRegister + 1> writers_{};
    std::array<Cycle, kMaximum> entry_retired_{};
    std::size_t entry_mask_;
    Port behind_; ///< the second port, if the first one is taken
    std::size_t count_ = 0;
    Cycle entry_free_ = 1; ///< of the oldest
    Cycle last_ = 0;
    Port port_ = Port::Closed; ///< second port in the cycle last_
};

} // namespace pes
