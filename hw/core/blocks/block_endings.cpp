// SPDX-License-Identifier: Apache-2.0
// Loads from and stores to devices, reads of counters and changes of the mode on the fast path:
// each ends a block, since what it does depends on the cycle. That cycle follows from the
// pipeline's state and the answers of the tables, so the memo knows it.
//
// Device: the duration of the access is one more answer, for which the device itself is asked,
// once, in that cycle. Everything a device may change is checked again after the access:
// interrupts, the horizon, observers, a stall. The access is stepped if it cannot be done ahead of
// time: if the counters have to be brought forward first, if it waits for the previous access, or
// if another hart shares the devices.
//
// A counter: the bank is brought to the cycle before the read. How much of the block's own pulses
// and of those before it that holds is the same whenever the block runs in this state, so it is in
// the memo too. It is stepped if the bank has to tick.
#include "hw/core/arch/csr_numbers.h"
#include "hw/core/blocks/block_runner.h"
#include "hw/interface/maps/csr.h"

#include <limits>

namespace pes {

Node* BlockRunner::run_stopped(Node& node) {
    switch (stop_) {
    case Before::Device:
        if (node.block->across_pages) {
            break; // no part of it, and rare
        }
        return run_to_device(node);
    case Before::CounterRead:
        return run_last(node);
    case Before::ModeChange:
        return run_mode_change(node);
    case Before::Walk:
        return run_to_walk(node);
    case Before::Stepping:
        break;
    }
    stop_inside(node);
    return leave(stopped_for_);
}

/// The instructions before the one that stopped the block have happened and get their time.
void BlockRunner::stop_inside(const Node& node) {
    const Block& block = *node.block;
    make_live(*node.state);
    hart_.block_start.behind = true;
    hart_.arch().pc = block.pc;
    if (stopped_at_ == 0) {
        return;
    }
    statistics_.recorded += stopped_at_;
    time_block(block, stopped_at_, nullptr);
    hart_.arch().pc = block.pc;
    for (std::size_t index = 0; index < stopped_at_; ++index) {
        hart_.arch().pc += block.instructions[index].length;
    }
    if (reports_.on()) {
        reports_.tell_steps(block);
    }
    hart_.time.last_retirement = hart_.pipeline.last_retirement();
    count_block(block, stopped_at_);
}

/// The node's block has stopped before an access, which is done as well.
Node* BlockRunner::run_to_device(Node& node) {
    Node& part = part_to_device(node);
    if (hart_.time.decode + part.longest >= limits_.limit() && !extend_limit(part)) {
        ended_by_limit_ = true;
        stop_inside(node);
        return leave(LeftFor::Limit);
    }
    *hart_.notes().next = ending_.access.physical;
    Node* const next = run_last(part);
    if (hart_.attention.asked_now()) { // the access has moved what limits the hart
        limits_.drop();
    }
    return next;
}

/// Of the instructions of the block up to and including the access.
Node& BlockRunner::part_to_device(Node& node) {
    const auto count = static_cast<BlockExtent>(stopped_at_) + 1;
    return memo_.node(source_.part(*node.block, count, kToDevice + count), *node.state);
}

/// The node of a block whose last handler has stopped before what it shall do in its cycle.
Node* BlockRunner::run_last(Node& node) {
    const Block& block = *node.block;
    ending_.memoizable = true;
    hart_.arch().pc = block.last_pc; // for a device that asks
    Outcome* const outcome = recall(node);
    if (outcome == nullptr) {
        return step_last(node);
    }
    const Instruction& last = block.instructions.back();
    commit_last(last);
    pass_by(block, *outcome);
    count_block(block, block.size());
    hart_.arch().pc = block.end;
    last_ = &block;
    return next_node(*outcome);
}

/// What the instruction does with what came of its access or read. Of a read that is all it does.
void BlockRunner::commit_last(const Instruction& last) {
    if (ending_.read) {
        hart_.execution.x(last.rd) = ending_.value;
    } else {
        last.execute(hart_.execution, last);
    }
    forget_ending();
}

void BlockRunner::forget_ending() {
    ending_.access.made = false;
    ending_.read = false;
}

/// The latency of the device that the access in hand reaches in cycle `at`.
[[gnu::noinline]] std::uint64_t BlockRunner::access_device(Cycle at) {
    if (!hart_.devices.ready(at)) {
        ending_.memoizable = false;
        return kNoAnswer;
    }
    hart_.devices.make(ending_.access, at);
    ending_.memoizable = ending_.access.result.status == BusStatus::Ok && hart_.observers.empty();
    return ending_.memoizable ? ending_.access.result.latency : kNoAnswer;
}

/// Takes the block through the pipeline, its last instruction with its handler, which makes the
/// access or the read if recall() has not, and adds what it asked to the memo.
Node* BlockRunner::step_last(Node& node) {
    const Block& block = *node.block;
    const Instruction& instruction = block.instructions.back();
    begin_recording(node);
    ++statistics_.blocks_recorded;
    statistics_.recorded += block.size();
    if (block.size() > 1) {
        time_block(block, block.size() - 1, &tape_);
        hart_.time.last_retirement = hart_.pipeline.last_retirement();
        count_block(block, block.size() - 1);
        if (reports_.on()) {
            reports_.tell_steps(block);
        }
    } else {
        reports_.begin_block(begin_);
    }
    hart_.pipeline.attribution().step_on();
    hart_.arch().pc = block.last_pc;
    tape_.set_operand(static_cast<std::uint8_t>(hart_.notes().next - hart_.notes().facts.data()));
    const Address physical = block.physical + (hart_.arch().pc - block.pc);
    hart_.block_start.behind = true;
    hart_.execution.set_mode(stepper_);
    const bool retired = stepper_.fetch_and_execute(instruction, physical, *this);
    hart_.execution.set_mode(*this);
    forget_ending();
    last_ = &block;
    const bool as_expected = retired || ending_.changes_mode;
    if (!as_expected || !ending_.memoizable || reports_.changed()) {
        drop_recording();
        return leave(retired ? LeftFor::Access : LeftFor::Trap);
    }
    reports_.retires(instruction, hart_.time.last_retirement);
    Outcome* const outcome = end_recording(node);
    if (outcome == nullptr) {
        return leave(LeftFor::NotKept);
    }
    return block.system ? behind_system(block, *outcome) : next_node(*outcome);
}

// --- Changes of the mode ------------------------------------------------------------------------

/// Only if nobody is told of it, and no counter stops or goes on. Nor under MPRV, which a return
/// clears: addresses of loads that are thrown away are not the same before it and behind it.
bool BlockRunner::may_change_mode() {
    const bool untold = hart_.observers.empty() && !hart_.truth &&
                        !(hart_.watch && hart_.watch->has_tap()) && !records_jumps() &&
                        !hart_.skidless && !hart_.attribution && hart_.mode_sink == nullptr &&
                        !reports_.on() && !hart_.halts.watching();
    const bool alike =
        !hart_.feed.bank().depends_on_mode() && !hart_.arch().csr.status(mstatus::kMprv);
    if (untold && alike) {
        stop_ = Before::ModeChange;
    }
    return leave_to_stepping(LeftFor::SystemInstruction);
}

/// The block is this instruction. What it asks is asked in the mode that it leaves.
Node* BlockRunner::run_mode_change(Node& node) {
    const Block& block = *node.block;
    ending_ = {.changes_mode = true};
    hart_.arch().pc = block.pc;
    Node* next = nullptr;
    if (Outcome* const outcome = recall(node)) {
        pass_by(block, *outcome);
        stepper_.change_mode(block.instructions.back(), hart_.time.last_retirement);
        hart_.execution.set_mode(*this);
        last_ = &block;
        if (outcome->next != nullptr && outcome->next->block->pc != hart_.arch().pc) {
            outcome->next = nullptr; // CSRs say where it goes, which is no question
        }
        next = behind_system(block, *outcome);
    } else {
        next = step_last(node);
    }
    ending_.changes_mode = false;
    hart_.block_start.behind = false;
    if (next != nullptr && records_jumps()) { // from this mode on
        make_live(*next->state);
        return leave(LeftFor::SystemInstruction);
    }
    return next;
}

// --- Reads of counters --------------------------------------------------------------------------

/// Nothing for a counter or the time: the block ends before the instruction, and the read is done
/// in its cycle.
std::optional<std::uint64_t> BlockRunner::read_csr(std::uint16_t number, Cycle) {
    const bool time = number == csr::kTime && hart_.config.time_csr;
    if (!time && !hart_.csrs.is_counter(number)) {
        if (hart_.csrs.read_in_turn(number) || shows_interrupts(number)) {
            leave_to_stepping(LeftFor::TimedCsr);
            return std::nullopt;
        }
        return hart_.csrs.read_register(number);
    }
    ending_.counter = number;
    stop_ = Before::CounterRead;
    leave_to_stepping(LeftFor::TimedCsr);
    return std::nullopt;
}

/// For the memo: what of the pulses a read in cycle `at` sees.
void BlockRunner::counter_read(Cycle at) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int16_t>::max();
    const EventTotals seen = hart_.feed.pulses().totals_through(at - 1);
    const EventTotals ahead = PulseLog::ahead_in(uncertain_before_, at);
    EventLead lead{};
    const auto difference = [this](std::uint64_t now, std::uint64_t before) {
        const auto by = static_cast<std::int64_t>(now - before);
        ending_.memoizable = ending_.memoizable && by <= kMost && by >= -kMost;
        return static_cast<std::uint16_t>(by);
    };
    lead[kRetiredEvents] = difference(seen.retired + ahead.retired, before_.retired);
    for (std::size_t source = 1; source < kEventCount; ++source) {
        lead[source] =
            difference(seen.events[source] + ahead.events[source], before_.events[source]);
    }
    hart_.pipeline.tables().counter_read(at, memo_.add_lead(lead));
}

/// Reads the counter of the instruction in hand in cycle `at`, if the bank can be told as a whole
/// what it has missed.
[[gnu::noinline]] std::uint64_t BlockRunner::read_counter_at(Cycle at, const EventLead& lead) {
    if (ending_.counter == csr::kTime) {
        ending_.value = hart_.bus.time(at);
    } else if (bring_bank_ahead_to(at - 1, lead)) {
        ending_.value = hart_.csrs.read_counter(ending_.counter);
    } else {
        ending_.memoizable = false;
        return kNoAnswer;
    }
    ending_.read = true;
    return 0;
}

bool BlockRunner::bring_bank_ahead_to(Cycle cycle, const EventLead& lead) {
    if (hart_.feed.bank().now() >= cycle) {
        return true;
    }
    bring_log_up();
    seen_ = hart_.feed.pulses().totals_through(cycle);
    const auto add = [&lead](std::uint64_t& total, std::size_t index) {
        total += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(lead[index])});
    };
    add(seen_.retired, kRetiredEvents);
    for (std::size_t source = 1; source < kEventCount; ++source) {
        add(seen_.events[source], source);
    }
    return hart_.feed.skip_to(cycle, seen_);
}

// --- Accesses to devices ------------------------------------------------------------------------

/// The block ends before the access. Once that has been made, the handler runs again.
bool BlockRunner::stop_before_device(const DeviceAccess& access) {
    ending_.access = access;
    // With a window, cycles of the access may be asked for, which has no upper bound.
    if (!hart_.config.memory.contains(access.physical) && !reports_.on() &&
        !hart_.config.keeps_window() && !hart_.execution.data().reservation().has_neighbours()) {
        stop_ = Before::Device;
    }
    return leave_to_stepping(LeftFor::Access);
}

const DeviceAccess* BlockRunner::made_access() const {
    return ending_.access.made ? &ending_.access : nullptr;
}

void BlockRunner::device_reached(const DeviceAccess& access, Cycle arrival) {
    ending_.memoizable = ending_.memoizable && access.at == arrival;
    hart_.pipeline.tables().device_access(access.at, access.result.latency);
}

} // namespace pes
