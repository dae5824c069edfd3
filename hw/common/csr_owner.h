// SPDX-License-Identifier: Apache-2.0
// The owner of a CSR that is implemented outside the hart: a trace module, an extension. The hart
// checks privilege and read-only numbers (bits 11:8) before it asks.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// One write by an instruction.
struct CsrWrite {
    std::uint16_t number;
    std::uint64_t value;
    std::uint64_t argument; ///< x10 before the instruction
    Cycle at;               ///< cycle of its retirement
};

class CsrOwner {
  public:
    CsrOwner() = default;
    CsrOwner(const CsrOwner&) = delete;
    CsrOwner& operator=(const CsrOwner&) = delete;
    virtual ~CsrOwner() = default;

    /// The value must not depend on the cycle: the fast path reads ahead of time.
    virtual std::uint64_t read(std::uint16_t number) const = 0;
    virtual void write(const CsrWrite& write) = 0;
};

/// What the hart needs to know about a register that it does not implement.
struct CsrTraits {
    /// Bit of mstateen0 that enables it below M-mode; bit 0 is that of custom state.
    unsigned stateen_bit = 0;
    /// The value may depend on the cycle: a read is made in its own cycle.
    bool in_turn = false;
};

/// A block that owns a bit of mcountinhibit, scountinhibit and scountovf without being a counter.
class CounterBitOwner {
  public:
    CounterBitOwner() = default;
    CounterBitOwner(const CounterBitOwner&) = delete;
    CounterBitOwner& operator=(const CounterBitOwner&) = delete;
    virtual ~CounterBitOwner() = default;

    virtual bool overflowed() const = 0; ///< in scountovf
    virtual bool inhibited() const = 0;  ///< in mcountinhibit
    virtual void inhibit(bool inhibited) = 0;
};

/// Select values of machine level and supervisor level are independent (Smcsrind).
enum class IndirectLevel : std::uint8_t { Machine, Supervisor };

/// A register that is accessed through the CSRs mireg* or sireg*.
struct IndirectRegister {
    IndirectLevel level;
    std::uint64_t select; ///< miselect or siselect
    unsigned alias;       ///< 1 to 6: mireg, mireg2 .. mireg6
};

/// The owner of registers that are accessed indirectly. The hart checks privilege and state enables
/// before it asks.
class IndirectCsrOwner {
  public:
    IndirectCsrOwner() = default;
    IndirectCsrOwner(const IndirectCsrOwner&) = delete;
    IndirectCsrOwner& operator=(const IndirectCsrOwner&) = delete;
    virtual ~IndirectCsrOwner() = default;

    /// If false, an access raises an illegal-instruction exception.
    virtual bool has(const IndirectRegister& which) const = 0;
    /// Only for registers for which has() is true.
    virtual std::uint64_t read(const IndirectRegister& which) const = 0;
    virtual void write(const IndirectRegister& which, const CsrWrite& write) = 0;
};

} // namespace pes
