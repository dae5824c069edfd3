// SPDX-License-Identifier: Apache-2.0
#include "hw/core/hart.h"

#include "hw/interface/maps/csr.h"

#include <algorithm>
#include <cstring>

namespace pes {

Hart::Hart(const HartConfig& config, HartBus& bus, CounterBank& bank)
    : parts_(config, bus, bank), blocks_allowed_(config.path != ExecutionPath::Step) {}

HartStop Hart::run() {
    const HartTime& time = parts_.time;
    parts_.pipeline.accept(parts_.arch().csr.float_use());
    while (!parts_.history.loops_for_ever()) {
        if (parts_.halts.asked() && halts_behind()) [[unlikely]] {
            return HartStop::Halted;
        }
        if (stepper_.waits()) [[unlikely]] {
            if (const std::optional<HartStop> stop = stepper_.wait()) {
                return *stop;
            }
        }
        if (!stepper_.has_fetched()) {
            if (parts_.block_start.here && blocks_allowed_ && time.decode >= time.woken_in &&
                !parts_.halts.steps()) {
                blocks_.run();
            }
            if (parts_.halts.asked() && halts_before()) [[unlikely]] {
                return HartStop::Halted;
            }
            if (parts_.skidless) [[unlikely]] {
                parts_.skidless->look_ahead();
            }
            stepper_.fetch();
        }
        if (parts_.attention.due(time.decode)) [[unlikely]] {
            const bool anew = parts_.attention.asked_now();
            if (!stepper_.attend()) {
                return HartStop::Horizon;
            }
            if (anew) {
                parts_.block_start.behind = true; // what was in the way of blocks may have passed
            }
            if (stepper_.take_interrupt()) {
                continue;
            }
        }
        if (parts_.skidless || parts_.halts.asked()) [[unlikely]] {
            stepper_.execute(); // something is asked before each instruction
        } else {
            stepper_.execute_on(blocks_allowed_);
        }
    }
    return HartStop::TrapLoop;
}

void Hart::set_horizon(Cycle turn_end, Cycle horizon) {
    parts_.time.turn_end = turn_end;
    parts_.time.horizon = horizon;
    parts_.attention.ask_now();
}

void Hart::hold_until(Cycle cycle) {
    parts_.time.held_until = std::max(parts_.time.held_until, cycle);
    parts_.attention.ask_now();
}

/// A refused access may have brought the bank further than that.
void Hart::settle(Cycle end) {
    parts_.feed.bring_to(std::max(end, parts_.feed.bank().now()));
    if (parts_.truth) {
        blocks_.expand_truth();
        parts_.truth->finish(parts_.feed.bank().now(), parts_.arch().pc, stepper_.waits());
    }
}

void Hart::forget_truth() {
    if (parts_.truth && parts_.truth->table() != nullptr) {
        blocks_.expand_truth();
        parts_.truth->table()->forget_values();
    }
}

void Hart::add_neighbour(Hart& other) {
    parts_.execution.data().reservation().add_neighbour(
        other.parts_.execution.data().reservation());
}

void Hart::resume_among_neighbours() {
    DataMemory& memory = parts_.execution.data();
    memory.reservation().each_page_of_neighbours(
        [&memory](Address page) { memory.forget_stores(page); });
}

void Hart::set_pc(Address pc) {
    parts_.arch().pc = pc;
    parts_.code.leave_page();
    parts_.block_start.here = true;
    stepper_.drop_fetched();
}

// --- For a debugger -----------------------------------------------------------------------------

/// A hart that is inside an instruction looks at the orders behind it.
void Hart::follow(const HaltOrders& orders) {
    parts_.halts.follow(orders, passed());
    parts_.execution.data().ask_about_accesses(parts_.halts.watching());
    parts_.attention.ask_now();
}

/// True if the hart stands still here. Code that has been written from outside takes effect first;
/// an instruction that is in decode is fetched again.
bool Hart::halts_behind() {
    if (parts_.halts.take_changed_code()) {
        parts_.code.flush();
        stepper_.drop_fetched();
        parts_.block_start.here = true;
    }
    const std::optional<Halt> halt =
        parts_.halts.behind({.pc = parts_.arch().pc, .passed = passed()});
    halt_ = halt.value_or(halt_);
    return halt.has_value();
}

/// Blocks may begin again behind the breakpoint.
bool Hart::halts_before() {
    const std::optional<Halt> halt =
        parts_.halts.before({.pc = parts_.arch().pc, .passed = passed()});
    halt_ = halt.value_or(halt_);
    parts_.block_start.behind |= halt.has_value();
    return halt.has_value();
}

void Hart::debugger_has_written() {
    parts_.halts.code_changed();
    parts_.attention.ask_now();
}

void Hart::debugger_sets_pc(Address pc) {
    set_pc(pc);
    parts_.halts.moved();
}

std::optional<Address> Hart::locate(Address address) {
    return parts_.arch().fetch_is_translated() ? parts_.execution.data().mmu().locate(address)
                                               : std::optional(address);
}

std::optional<std::uint64_t> Hart::peek_csr(std::uint16_t number) {
    if (number == csr::kTime) {
        return parts_.config.time_csr ? std::optional(parts_.bus.time(now())) : std::nullopt;
    }
    if (parts_.csrs.is_counter(number)) {
        bring_counters_to(now());
    }
    return parts_.csrs.peek(number);
}

bool Hart::look_at(Address address, std::span<std::byte> bytes) {
    const ArchState& arch = parts_.arch();
    DataMemory& memory = parts_.execution.data();
    std::optional<Address> physical = address;
    if (arch.fetch_is_translated()) {
        physical = memory.mmu().translate_apart(address, Access::Load, arch.privilege);
    }
    const auto size = static_cast<unsigned>(bytes.size());
    if (!physical || !arch.csr.pmp().allows(*physical, size, Access::Load, arch.privilege)) {
        return false;
    }
    const std::byte* const from = memory.host().find(*physical, size, now());
    if (from != nullptr) {
        std::memcpy(bytes.data(), from, size);
    }
    return from != nullptr;
}

/// All pulses of the current instruction have been logged, and no later instruction pulses before
/// this cycle.
void Hart::bring_counters_to(Cycle at) {
    CounterFeed& feed = parts_.feed;
    const Cycle certain =
        std::min(at - std::min<Cycle>(at, 1), now() - std::min(now(), CounterFeed::kMarkDistance));
    if (certain > feed.bank().now()) {
        feed.bring_to(certain);
    }
}

std::uint64_t Hart::observe_counter(std::uint16_t csr, Cycle at) {
    bring_counters_to(at);
    const CounterBank& bank = parts_.feed.bank();
    return bank.owns(csr) ? bank.peek(csr) : 0;
}

} // namespace pes
