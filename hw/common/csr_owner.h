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
    std::uint64_t argument; ///< x10 as the instruction found it
    Cycle at;               ///< cycle of its retirement
};

class CsrOwner {
  public:
    CsrOwner() = default;
    CsrOwner(const CsrOwner&) = delete;
    CsrOwner& operator=(const CsrOwner&) = delete;
    virtual ~CsrOwner() = default;

    /// The value may not depend on the cycle: the fast path reads ahead of time.
    virtual std::uint64_t read(std::uint16_t number) const = 0;
    virtual void write(const CsrWrite& write) = 0;
};

/// What the hart has to know of a register that it does not implement.
struct CsrTraits {
    /// Bit of mstateen0 that opens it below M-mode; 0 is that of custom state.
    unsigned stateen_bit = 0;
    /// Its value may depend on the cycle after all: a read waits for its turn.
    bool in_turn = false;
};

/// The block whose bit of mcountinhibit, scountinhibit and scountovf is not a counter's.
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

/// Machine level and supervisor level have select values of their own (Smcsrind).
enum class IndirectLevel : std::uint8_t { Machine, Supervisor };

/// A register behind the CSRs mireg* or sireg*.
struct IndirectRegister {
    IndirectLevel level;
    std::uint64_t select; ///< miselect or siselect
    unsigned alias;       ///< 1 to 6: mireg, mireg2 .. mireg6
};

/// The owner of registers that are reached indirectly. The hart has checked privilege and state
/// enables before it asks.
class IndirectCsrOwner {
  public:
    IndirectCsrOwner() = default;
    IndirectCsrOwner(const IndirectCsrOwner&) = delete;
    IndirectCsrOwner& operator=(const IndirectCsrOwner&) = delete;
    virtual ~IndirectCsrOwner() = default;

    /// False: an access is an illegal instruction.
    virtual bool has(const IndirectRegister& which) const = 0;
    /// Only of registers that it has.
    virtual std::uint64_t read(const IndirectRegister& which) const = 0;
    virtual void write(const IndirectRegister& which, const CsrWrite& write) = 0;
};

} // namespace pes
