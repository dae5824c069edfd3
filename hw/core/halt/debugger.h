// SPDX-License-Identifier: Apache-2.0
// What harts tell a debugger. Its calls return when the run goes on; until then nothing moves, and
// the debugger may look at everything.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

enum class HaltReason : std::uint8_t {
    Breakpoint,
    Step,
    Passed,   ///< as many instructions as it was told
    Load,     ///< of watched memory
    Store,    ///< likewise
    TrapLoop, ///< the trap handler cannot run: the run ends next
    DeadWait, ///< WFI, and nothing is left that could end it: likewise
};

struct Halt {
    HaltReason reason = HaltReason::Step;
    Address address = 0; ///< of the watched memory that was accessed
};

class Debugger {
  public:
    Debugger() = default;
    Debugger(const Debugger&) = delete;
    Debugger& operator=(const Debugger&) = delete;
    virtual ~Debugger() = default;

    /// In the hart's own thread, between two instructions: the debugger may make the platform stand
    /// still. Called many times a second; returns after how many cycles it wants to be at the
    /// latest.
    virtual Cycle look(unsigned hart) = 0;
    /// Likewise, where the hart has been told to stand still.
    virtual void halted(unsigned hart, const Halt& halt) = 0;
};

} // namespace pes
