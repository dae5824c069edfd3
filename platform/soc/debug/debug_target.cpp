// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/debug_target.h"

#include "hw/core/arch/csr_table.h"
#include "platform/host/end_request.h"
#include "platform/host/numbers.h"
#include "platform/soc/debug/csr_names.h"
#include "platform/soc/debug/debug_orders.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pes {
namespace {

constexpr Address kPageBytes = 0x1000;

bool end_wanted() {
    return end_requested() != EndRequest::None;
}

bool overlaps(const gdb::Point& point, Address address) {
    return address - point.address < point.size;
}

} // namespace

DebugTarget::DebugTarget(Soc& soc, gdb::Server& server, DebugHooks hooks)
    : soc_(soc), server_(server), hooks_(std::move(hooks)), csrs_(describe_csrs(soc.hart(0))),
      monitor_(soc, hooks_), way_back_(soc, hooks_.no_way_back) {
    soc_.set_debugger(this);
}

// --- Standing still -----------------------------------------------------------------------------

Cycle DebugTarget::look(unsigned hart) {
    if (!std::exchange(started_, true)) {
        stand_still({.reason = gdb::StopReason::Start, .hart = hart});
    } else if (client_is_due(hart)) {
        ask_client(hart);
    }
    do {
        if ((way_back_.due() || lands_soon(hart)) && way_back_.keep(hart)) {
            begin_errand();
        }
    } while (arrived(hart) && (arrive(), true));
    if (alone_ && awaits_ == Await::Nothing) {
        soc_.set_debugger(nullptr);
    }
    return approach(hart);
}

/// A system call takes as long as some thousand cycles.
bool DebugTarget::client_is_due(unsigned hart) {
    constexpr Cycle kCycles = 100'000;
    constexpr unsigned kLooks = 1'000;
    const Cycle now = soc_.hart(hart).now();
    if (now < looked_at_ + kCycles && looks_left_-- != 0) {
        return false;
    }
    looked_at_ = std::max(looked_at_, now);
    looks_left_ = kLooks;
    return true;
}

/// On the way back the run stands still wherever it is.
void DebugTarget::ask_client(unsigned hart) {
    const gdb::Server::Wish wish = server_.look();
    if (wish == gdb::Server::Wish::Interrupt) {
        await_nothing();
        stand_still({.reason = gdb::StopReason::Interrupt, .hart = hart});
    } else if (wish == gdb::Server::Wish::Lost) {
        leave();
    }
}

void DebugTarget::halted(unsigned hart, const Halt& halt) {
    const bool ends = halt.reason == HaltReason::TrapLoop || halt.reason == HaltReason::DeadWait;
    if (halt.reason == HaltReason::Passed) {
        near_ = false; // look() follows, and finds whether the other harts are as far
    } else if (awaits_ == Await::Bound && !ends) {
        note_hit(hart, halt);
    } else if (awaits_ == Await::Bound) {
        end_search();
    } else if (const gdb::Stop stop = stop_of(hart, halt); ends || !unasked(hart)) {
        stand_still(stop);
    } else {
        tell_unasked(stop);
    }
}

bool DebugTarget::unasked(unsigned hart) const {
    const std::vector<gdb::Motion>& motions = server_.motions();
    return hart < motions.size() && motions[hart].unasked;
}

/// gdb 13 ends with an internal error when a thread stops that it takes to stand still. The
/// breakpoint may be gdb's own, for a step of the other hart; so this is told once.
void DebugTarget::tell_unasked(const gdb::Stop& stop) {
    if (!std::exchange(told_unasked_, true)) {
        const bool breaks = stop.reason == gdb::StopReason::Breakpoint;
        server_.tell("pes-vp: hart " + std::to_string(stop.hart) + " has gone on past a " +
                     (breaks ? "breakpoint" : "watched access") + " at " +
                     hex(soc_.hart(stop.hart).state().pc) +
                     ": when gdb lets some harts alone go on, the others go on as well and stop "
                     "nowhere\n");
    }
}

/// An access counts as what the watch that it met is for.
gdb::Stop DebugTarget::stop_of(unsigned hart, const Halt& halt) const {
    const auto watched_for = [&](gdb::PointKind only) {
        return std::ranges::any_of(points_, [&](const gdb::Point& point) {
            return point.kind == only && overlaps(point, halt.address);
        });
    };
    gdb::Stop stop{.hart = hart, .address = halt.address};
    switch (halt.reason) {
    case HaltReason::Breakpoint:
        stop.reason = gdb::StopReason::Breakpoint;
        break;
    case HaltReason::Step:
    case HaltReason::Passed:
        stop.reason = gdb::StopReason::Step;
        break;
    case HaltReason::Load:
        stop.reason = watched_for(gdb::PointKind::ReadWatch) ? gdb::StopReason::ReadWatch
                                                             : gdb::StopReason::AccessWatch;
        break;
    case HaltReason::Store:
        stop.reason = watched_for(gdb::PointKind::WriteWatch) ? gdb::StopReason::WriteWatch
                                                              : gdb::StopReason::AccessWatch;
        break;
    case HaltReason::TrapLoop:
    case HaltReason::DeadWait:
        stop.reason = gdb::StopReason::CannotGoOn;
        break;
    }
    return stop;
}

void DebugTarget::stand_still(gdb::Stop stop) {
    hooks_.before_stop();
    way_back_.stands_still(stop.hart);
    while (true) {
        switch (server_.serve(*this, stop, end_wanted)) {
        case gdb::Server::Outcome::GoOn:
            way_back_.goes_on(server_.descriptor());
            go_on(server_.motions());
            return;
        case gdb::Server::Outcome::GoBack:
            stop = go_back(stop);
            continue;
        case gdb::Server::Outcome::Kill:
            request_end(EndRequest::Debugger);
            leave();
            return;
        case gdb::Server::Outcome::Alone:
        case gdb::Server::Outcome::GaveUp:
            leave();
            return;
        }
    }
}

void DebugTarget::go_on(const std::vector<gdb::Motion>& motions) {
    told_access_ = false;
    HaltOrders orders = orders_of(points_);
    for (unsigned hart = 0; hart < harts(); ++hart) {
        const gdb::Motion& motion = motions[hart];
        orders.step_through = motion.steps ? std::optional(motion.range) : std::nullopt;
        soc_.hart(hart).follow(orders);
    }
    await_what_is_seen();
}

/// The run goes on as if there had never been a debugger, once its output is for the user again.
void DebugTarget::leave() {
    points_.clear();
    for (unsigned hart = 0; hart < harts(); ++hart) {
        soc_.hart(hart).follow({});
    }
    way_back_.end();
    await_what_is_seen();
    alone_ = true;
}

// --- Registers ----------------------------------------------------------------------------------

std::string DebugTarget::describe(unsigned hart) {
    const HartModule& module = soc_.module(hart);
    std::string text = module.hart().state().privilege == Privilege::Machine ? "machine mode"
                       : module.hart().state().privilege == Privilege::Supervisor
                           ? "supervisor mode"
                           : "user mode";
    text += module.hart().sleeps() ? ", asleep" : "";
    return text + (module.between_instructions() ? "" : ", inside an instruction");
}

std::optional<std::uint64_t> DebugTarget::read_register(unsigned hart, unsigned number) {
    Hart& one = soc_.hart(hart);
    const ArchState& state = one.state();
    if (number < gdb::kPc) {
        return state.x[number];
    }
    if (number == gdb::kPc) {
        return state.pc;
    }
    if (number < gdb::kFirstCsr) {
        return state.x[kFloatBase + (number - gdb::kFirstFloat)];
    }
    if (number == gdb::kPrivilege) {
        return static_cast<std::uint64_t>(state.privilege);
    }
    const auto csr = static_cast<std::uint16_t>(number - gdb::kFirstCsr);
    return one.has_csr(csr) ? one.peek_csr(csr) : std::nullopt;
}

/// A hart inside an instruction would overwrite what is written.
bool DebugTarget::write_register(unsigned hart, unsigned number, std::uint64_t value) {
    if (read_register(hart, number) == value) {
        return true;
    }
    Hart& one = soc_.hart(hart);
    if (!soc_.module(hart).between_instructions() || number == gdb::kPrivilege) {
        return false;
    }
    way_back_.written(hart);
    if (number == gdb::kPc) {
        one.debugger_sets_pc(value);
    } else if (number < gdb::kPc) {
        one.set_register(static_cast<RegisterIndex>(number), number == 0 ? 0 : value);
    } else if (number < gdb::kFirstCsr) {
        one.set_register(static_cast<RegisterIndex>(kFloatBase + (number - gdb::kFirstFloat)),
                         value);
    } else {
        return write_csr(one, static_cast<std::uint16_t>(number - gdb::kFirstCsr), value);
    }
    return true;
}

/// Not counters, which run, nor what is told to a device in its cycle, nor what is read-only.
bool DebugTarget::write_csr(Hart& hart, std::uint16_t number, std::uint64_t value) {
    constexpr unsigned kReadOnly = 3; // in bits 11:10 of the number
    if (!hart.has_csr(number) || number >> 10 == kReadOnly || hart.is_counter(number) ||
        csr_row(number).effect == CsrEffect::Timer) {
        return false;
    }
    hart.set_csr(number, value);
    return true;
}

// --- Memory -------------------------------------------------------------------------------------

template <typename Function>
std::size_t DebugTarget::each_piece(unsigned hart, Address address, std::size_t size,
                                    Function access) {
    std::size_t done = 0;
    while (done < size) {
        const Address at = address + done;
        const std::size_t length = std::min<std::size_t>(size - done, kPageBytes - at % kPageBytes);
        const std::optional<Address> physical =
            monitor_.uses_physical() ? std::optional(at) : soc_.hart(hart).locate(at);
        const std::size_t some = physical ? access(*physical, done, length) : 0;
        done += some;
        if (some != length) {
            break;
        }
    }
    return done;
}

std::size_t DebugTarget::read_memory(unsigned hart, Address address, std::span<std::byte> bytes) {
    HartModule& module = soc_.module(hart);
    return each_piece(hart, address, bytes.size(),
                      [&](Address physical, std::size_t offset, std::size_t length) {
                          return module.debug_load(physical, bytes.subspan(offset, length));
                      });
}

/// What stays as it is leaves the harts alone.
bool DebugTarget::write_memory(unsigned hart, Address address, std::span<const std::byte> bytes) {
    std::vector<std::byte> present(bytes.size());
    if (read_memory(hart, address, present) == bytes.size() && std::ranges::equal(present, bytes)) {
        return true;
    }
    way_back_.written(hart);
    HartModule& module = soc_.module(hart);
    const std::size_t done = each_piece(
        hart, address, bytes.size(), [&](Address physical, std::size_t offset, std::size_t length) {
            return module.debug_store(physical, bytes.subspan(offset, length));
        });
    for (unsigned index = 0; index < harts(); ++index) {
        soc_.hart(index).debugger_has_written();
    }
    return done == bytes.size();
}

// --- The rest -----------------------------------------------------------------------------------

/// An odd address can never be that of an instruction.
bool DebugTarget::insert(const gdb::Point& point) {
    const bool possible =
        point.kind == gdb::PointKind::Breakpoint
            ? point.address % 2 == 0
            : point.size != 0 && point.address + (point.size - 1) >= point.address;
    if (possible && std::ranges::find(points_, point) == points_.end()) {
        points_.push_back(point);
    }
    return possible;
}

bool DebugTarget::remove(const gdb::Point& point) {
    std::erase(points_, point);
    return true;
}

std::string DebugTarget::command(unsigned hart, std::string_view line) {
    return monitor_.answer(hart, line);
}

} // namespace pes
