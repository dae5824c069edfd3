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

} // namespace pes
