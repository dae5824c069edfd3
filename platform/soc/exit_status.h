// SPDX-License-Identifier: Apache-2.0
// How a run ends.
#pragma once

#include <cstdint>
#include <string_view>

namespace pes {

enum class ExitReason : std::uint8_t {
    Running,        ///< not ended yet
    Guest,          ///< the guest asked, through HTIF or the finisher
    MaxCycles,      ///< --max-cycles reached
    TrapLoop,       ///< a trap handler that itself cannot run
    CountersDiffer, ///< model and RTL in lockstep do not agree
    DeadWait,       ///< WFI, and nothing is left that could end it
    Interrupted,    ///< the person at the terminal stopped it
    OutOfMemory,    ///< the host refused memory
};

inline constexpr int kMaxCyclesExit = 124; ///< as timeout(1)
inline constexpr int kCannotGoOnExit = 125;
inline constexpr int kCountersDifferExit = 126;
inline constexpr int kInterruptedExit = 130; ///< as a shell reports SIGINT

/// As printed in the statistics.
constexpr std::string_view name_of(ExitReason reason) {
    switch (reason) {
    case ExitReason::Running:
        return "running";
    case ExitReason::Guest:
        return "guest";
    case ExitReason::MaxCycles:
        return "max-cycles";
    case ExitReason::TrapLoop:
        return "trap-loop";
    case ExitReason::CountersDiffer:
        return "counters-differ";
    case ExitReason::DeadWait:
        return "dead-wait";
    case ExitReason::Interrupted:
        return "interrupted";
    case ExitReason::OutOfMemory:
        return "out-of-memory";
    }
    return "";
}

/// A process status keeps 8 bits: a failure whose low bits are zero must not look like success.
constexpr int process_status(std::uint64_t guest_code) {
    const int low = static_cast<int>(guest_code & 0xFF);
    return guest_code != 0 && low == 0 ? 0xFF : low;
}

} // namespace pes
