// SPDX-License-Identifier: Apache-2.0
// The way of each instruction through the pipeline, for whoever draws it. Only a hart with a sink
// tells of it.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/truth/waits.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace pes {

/// What an instruction that issues with its operands reads and writes; of others nothing.
struct PassageRegisters {
    std::array<RegisterIndex, 3> read{kNoRegister, kNoRegister, kNoRegister};
    RegisterIndex written = kSinkRegister;
    RegisterIndex awaited = kNoRegister; ///< the one that was ready last, if issue waited for it

    static PassageRegisters of(const Instruction& instruction) {
        return ignores_operands(instruction.timing)
                   ? PassageRegisters()
                   : PassageRegisters{.read = {instruction.rs1, instruction.rs2, instruction.rs3},
                                      .written = instruction.rd};
    }
};

/// Cycles of an instruction that has retired, or whose trap has been taken.
struct Passage {
    Cycle requested;              ///< the fetch of its last word
    Cycle offered;                ///< by the fetch queue, from this cycle on
    Cycle decode;                 ///< it leaves the queue
    Cycle issue;                  ///< to its unit, which begins in the next cycle
    std::optional<Cycle> request; ///< its translated address goes out
    Cycle ready;                  ///< it could retire if it were the oldest
    Cycle ended;                  ///< it retires, or its trap is taken
    std::span<const Wait> waits;  ///< see waits.h
    PassageRegisters registers;
};

/// An instruction that is decoded behind another one, which throws it away.
struct DiscardedPassage {
    Address pc;
    std::uint32_t raw;
    std::uint8_t length;
    Cycle requested, offered, decode;
    Cycle issue; ///< later than `flush` if it is not issued
    Cycle flush; ///< its last cycle
    PassageRegisters registers;
};

class PassageSink {
  public:
    PassageSink() = default;
    PassageSink(const PassageSink&) = delete;
    PassageSink& operator=(const PassageSink&) = delete;
    virtual ~PassageSink() = default;

    /// Comes before the observers of the hart hear of the same instruction.
    virtual void passed(const Passage& passage) = 0;
    /// Comes before the passed() of the instruction that throws it away, or behind it.
    virtual void discarded(const DiscardedPassage& passage) = 0;
};

} // namespace pes
