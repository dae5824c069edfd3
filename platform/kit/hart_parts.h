// SPDX-License-Identifier: Apache-2.0
// What is inside a Hart.
#pragma once

#include "platform/boot/loader.h"
#include "platform/kit/bus_port.h"
#include "platform/kit/wires.h"
#include "platform/soc/hart_unit.h"

#include <pes-vp/hart.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes::kit {

struct Hart::Parts {
    Parts(Hart& owner, Settings all, unsigned number);

    HartModule::Timer timer();
    LockstepBank::Hooks lockstep();
    void ended();
    void settle();
    void meet_others(const Hart& owner);
    void place_program(const Hart& owner);

    const Settings settings;
    const unsigned index;
    const ClockDomain clock{settings.internal().clock_hz};
    std::function<std::uint64_t(Cycle)> mtime{};          ///< empty: not connected yet
    std::function<void(std::uint64_t, Cycle)> stimecmp{}; ///< empty: there is no comparator
    std::string difference{};                             ///< report of counters in lockstep
    HartUnit unit;
    BusPort<decltype(Hart::bus)> port;
    std::array<SignalReader, 5> readers;
    SignalDriver threshold;
    SignalDriver buffer_full;
    std::optional<Program> program{};
    sc_core::sc_event has_ended{"ended"};
    std::vector<std::function<void(Cycle)>> at_end{}; ///< of blocks that trace it
    bool settled = false;
};

} // namespace pes::kit
