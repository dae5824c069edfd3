// SPDX-License-Identifier: Apache-2.0
// Runs a function at a privilege level until it returns or something traps.
#pragma once

#include "firmware/boot/csr.h"

#include <stdint.h>

namespace pes::rules {

enum class Mode : uint64_t { User = 0, Supervisor = 1, Machine = 3 };

inline constexpr Mode kModes[] = {Mode::Machine, Mode::Supervisor, Mode::User};

constexpr char letter(Mode mode) {
    return mode == Mode::Machine ? 'M' : mode == Mode::Supervisor ? 'S' : 'U';
}

/// How it has ended.
struct Taken {
    uint64_t machine_cause;    ///< mcause, if M had the trap
    uint64_t supervisor_cause; ///< scause, if S had it
    uint64_t in_supervisor;    ///< 1: S had it
};

extern "C" void run_at(Mode mode, void (*function)(void*), void* argument, Taken* taken);

/// Runs `act()` there.
template <typename Act>
Taken run(Mode mode, Act act) {
    Taken taken{};
    run_at(
        mode, [](void* argument) { (*static_cast<Act*>(argument))(); }, &act, &taken);
    return taken;
}

/// act() has returned: the call that ends it is the trap.
constexpr bool returned(Mode mode, const Taken& taken) {
    return taken.in_supervisor == 0 && taken.machine_cause == 8 + static_cast<uint64_t>(mode);
}
constexpr bool illegal(const Taken& taken) {
    return taken.in_supervisor == 0 && taken.machine_cause == kCauseIllegalInstruction;
}

} // namespace pes::rules
