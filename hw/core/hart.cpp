// SPDX-License-Identifier: Apache-2.0
// The run loop: fetch, interrupts, execution; and what happens around it: traps, privilege changes,
// the hand-over of pulses to the counter bank.
#include "hw/core/hart.h"

#include "hw/interface/maps/csr.h"

#include <algorithm>

namespace pes {

Hart::Hart(const HartConfig& config, HartBus& bus, CounterBank& bank)
    : config_(config), bus_(bus), memory_(bus), feed_(bank, interrupts_, attention_),
      pc_(config.reset_pc),
      csr_(config.id, config.pmp_entries,
           bank.owns(csr::kScountovf) ? OverflowInterrupt::Present : OverflowInterrupt::Absent),
      mmu_(config_, csr_, *this), pipeline_(config_.timing, feed_.pulses(), *this, config_.sources),
      decode_cache_(config.decoded_pages), blocks_allowed_(config.path != ExecutionPath::Step) {}

void Hart::set_pc(Address pc) {
    pc_ = pc;
    leave_fetch_pages();
    block_begins_ = true;
    fetched_ = false; // an instruction fetched before a stop belongs to the old address
}

void Hart::set_horizon(Cycle horizon) {
    horizon_ = horizon;
    attention_.ask_now();
}

// --- The loop -----------------------------------------------------------------------------------

HartStop Hart::run() {
    while (!history_.loops()) {
        if (waiting_) [[unlikely]] {
            if (const std::optional<HartStop> stop = idle()) {
                return *stop;
            }
        }
        if (!fetched_) {
            if (block_begins_ && blocks_allowed_ && decode_ >= woken_in_) {
                run_blocks();
            }
            if (!fetch()) [[unlikely]] {
                continue; // it raised a trap
            }
        }
        if (attention_.due(decode_)) [[unlikely]] {
            const bool anew = attention_.asked_now();
            if (!attend()) {
                return HartStop::Horizon;
            }
            block_due_ = block_due_ || anew; // what was in the way of blocks may have passed
            if (take_interrupt()) {
                continue;
            }
        }
        run_instruction();
    }
    return HartStop::TrapLoop;
}

void Hart::run_instruction() {
    fetched_ = false;
    const Instruction& instruction = *current_;
    next_pc_ = pc_ + instruction.length;
    pipeline_.issue(instruction);
    done_ = false;
    walk_ = nullptr;
    cacheable_ = true;
    device_latency_ = 0;
    fact_ = facts_.data();
    instruction.execute(*this, instruction);
    if (!done_) [[likely]] {
        retire_at(instruction, retire(instruction, facts_[0]));
    }
}

Cycle Hart::retire_jump_or_access(const Instruction& instruction, std::uint64_t fact) {
    if (instruction.timing <= TimingClass::Jalr) {
        const bool taken =
            branches_in_place(instruction) ? fact != 0 : next_pc_ != pc_ + instruction.length;
        return pipeline_.retire_branch(instruction, pc_, next_pc_, taken);
    }
    return pipeline_.retire_memory(instruction, access_at(instruction, fact), device_latency_);
}

void Hart::retire_at(const Instruction& instruction, Cycle cycle) {
    history_.passed(pc_, 1, 0);
    ++retired_;
    block_begins_ = instruction.role != BlockRole::Inside || block_due_;
    block_due_ = false;
    last_retirement_ = cycle;
    if (!observers_.empty()) [[unlikely]] {
        observe(instruction, cycle);
    }
    pc_ = next_pc_;
}

/// What the pipeline pulses in the cycle of its retirement: its class, and what only its execution
/// tells.
EventMask Hart::retirement_events(const Instruction& instruction) const {
    const EventMask events = instruction.commit_events;
    switch (instruction.timing) {
    case TimingClass::Branch:
        return next_pc_ == pc_ + instruction.length &&
                       (!branches_in_place(instruction) || facts_[0] == 0)
                   ? events
                   : events | event_bit(Event::TakenBranch);
    case TimingClass::TrapReturn:
        return events | event_bit(Event::ExceptionReturn);
    case TimingClass::SfenceVma:
        return events | event_bit(Event::TlbFlush);
    case TimingClass::Load:
        return cacheable_ ? events : events | event_bit(Event::ExternalLoad);
    case TimingClass::Store:
        return cacheable_ ? events : events | event_bit(Event::ExternalStore);
    default:
        return events;
    }
}

void Hart::observe(const Instruction& instruction, Cycle cycle) {
    const Retirement retirement{.cycle = cycle,
                                .pc = pc_,
                                .next_pc = next_pc_,
                                .raw = instruction.raw != 0 ? instruction.raw : emptied_word_,
                                .length = instruction.length,
                                .privilege = privilege_,
                                .destination = instruction.rd,
                                .events = retirement_events(instruction)};
    observers_.tell([&](HartObserver& observer) { observer.retired(retirement); });
}

// --- Interrupts, horizon, counter bank ----------------------------------------------------------

/// Called when the next instruction decodes at or after attention_. False: leave run().
bool Hart::attend() {
    if (decode_ < held_until_ && !sit_out_hold()) {
        return false;
    }
    if (feed_.due(decode_)) {
        feed_.bring_to_decode(decode_);
    }
    if (decode_ >= horizon_) {
        return false;
    }
    interrupts_.apply(decode_, csr_);
    const Cycle awake = decode_ < woken_in_ ? woken_in_ : kNever;
    attention_.put_off_to(std::min(
        {horizon_, feed_.deadline(), interrupts_.next_change(), awake, feed_.next_hand_over()}));
    return true;
}

/// The instruction in decode is marked if an enabled interrupt is pending; it is squashed when it
/// reaches retirement. True if a trap was taken instead of the instruction.
bool Hart::take_interrupt() {
    if (decode_ < woken_in_) {
        return false;
    }
    const std::optional<unsigned> number = csr_.pending_interrupt(privilege_);
    if (!number) {
        return false;
    }
    fetched_ = false;
    const Cycle cycle = pipeline_.interrupt(*current_);
    enter_trap(kInterruptBit | *number, 0, cycle);
    return true;
}

/// WFI: time passes, up to the horizon, until an interrupt that mie enables is pending. CVA6 halts
/// retirement only. What is decoded meanwhile, as far as the scoreboard has room, comes before the
/// interrupt, and its loads have gone out. [core/csr_regfile.sv, core/commit_stage.sv]
std::optional<HartStop> Hart::idle() {
    while (true) {
        interrupts_.apply(decode_, csr_);
        if ((csr_.mip() & csr_.mie()) != 0) {
            waiting_ = false;
            feed_.settle_before(decode_);
            if (config_.wfi_interrupt == WfiInterrupt::AtOnce) {
                pipeline_.resume_at(decode_);
            } else {
                pipeline_.wake_in(decode_);
                woken_in_ = decode_;
                decode_ = pipeline_.decode();
            }
            attention_.ask_now();
            return std::nullopt;
        }
        const Cycle next = std::min({horizon_, feed_.deadline(), interrupts_.next_change()});
        if (decode_ >= horizon_) {
            return HartStop::WaitForInterrupt;
        }
        decode_ = std::max(decode_, next);
        if (decode_ >= feed_.deadline()) {
            feed_.bring_to_decode(decode_);
        }
    }
}

void Hart::hold_until(Cycle cycle) {
    held_until_ = std::max(held_until_, cycle);
    attention_.ask_now();
}

/// The instruction that was fetched stays in decode. False if the horizon comes first.
bool Hart::sit_out_hold() {
    while (decode_ < held_until_) {
        if (decode_ >= horizon_) {
            return false;
        }
        decode_ = std::max(decode_, std::min({horizon_, feed_.deadline(), held_until_}));
        if (decode_ >= feed_.deadline()) {
            feed_.bring_to_decode(decode_);
        }
    }
    feed_.settle_before(decode_);
    pipeline_.resume_at(decode_);
    return true;
}

/// Before a device sees an access at `at`, it has seen every counter edge before it that is
/// certain. Nothing later retires before the access itself does: a load retires after `at`; a store
/// goes out after its retirement, which is later than that of the instruction before it, since
/// stores retire on the first port only. Devices see accesses in program order, also a load that
/// overtakes a store which waits in the write buffer; it retires after its own `at` all the same.
Cycle Hart::sync_for_device(Cycle at, Access access) {
    const Cycle certain =
        access == Access::Load ? at - 1 : std::min(at - 1, std::max(last_retirement_, decode_));
    if (certain > feed_.bank().now()) {
        feed_.bring_to(certain);
    }
    last_device_access_ = std::max(at, last_device_access_);
    return last_device_access_;
}

/// A refused access may have brought the bank further than that.
void Hart::settle(Cycle end) {
    feed_.bring_to(std::max(end, feed_.bank().now()));
}

/// The instruction in hand has pulsed all that it does, and none after it pulses before this.
std::uint64_t Hart::observe_counter(std::uint16_t csr, Cycle at) {
    const Cycle certain = std::min(at - std::min<Cycle>(at, 1),
                                   decode_ - std::min(decode_, CounterFeed::kMarkDistance));
    if (certain > feed_.bank().now()) {
        feed_.bring_to(certain);
    }
    return feed_.bank().owns(csr) ? feed_.bank().peek(csr) : 0;
}

// --- Traps --------------------------------------------------------------------------------------

void Hart::raise(Cause cause, std::uint64_t tval) {
    done_ = true;
    if (mode_ == Mode::Blocks) {
        return; // stepping comes back to this instruction
    }
    fetched_ = false;
    const Cycle cycle = pipeline_.exception();
    enter_trap(static_cast<std::uint64_t>(cause), tval, cycle);
}

void Hart::raise_illegal(const Instruction& instruction) {
    raise(Cause::IllegalInstruction, instruction.raw);
}

void Hart::enter_trap(std::uint64_t cause, std::uint64_t tval, Cycle cycle) {
    const Privilege from = privilege_;
    const Address epc = pc_;
    woken_in_ = 0;
    const CsrFile::TrapEntry entry = csr_.enter_trap(cause, epc, tval, from);
    const TrapTaken trap{.cycle = cycle,
                         .cause = cause,
                         .epc = epc,
                         .tval = tval,
                         .vector = entry.vector,
                         .from = from,
                         .to = entry.privilege};
    history_.trapped(trap, retired_);
    observers_.tell([&](HartObserver& observer) { observer.trapped(trap); });
    pc_ = entry.vector;
    block_begins_ = true;
    change_privilege(entry.privilege, cycle);
}

// --- Context ------------------------------------------------------------------------------------

void Hart::change_privilege(Privilege privilege, Cycle cycle) {
    if (privilege != privilege_) {
        feed_.change_privilege(privilege, cycle);
    }
    privilege_ = privilege;
    context_changed();
}

void Hart::leave_fetch_pages() {
    fetch_page_ = {};
    recent_pages_.fill({});
}

/// Recomputes what depends on privilege, mstatus, satp and PMP.
void Hart::context_changed() {
    leave_fetch_pages();
    const bool modified = privilege_ == Privilege::Machine && csr_.status(mstatus::kMprv);
    data_privilege_ =
        modified ? static_cast<Privilege>((csr_.status() & mstatus::kMpp) >> mstatus::kMppShift)
                 : privilege_;
    data_translated_ = data_privilege_ != Privilege::Machine && csr_.translation_on();
    memory_.select(data_privilege_);
    attention_.ask_now();
}

void Hart::finish_return(const Instruction& instruction, const CsrFile::TrapReturn& back) {
    done_ = true;
    next_pc_ = back.pc;
    retire_at(instruction, pipeline_.retire_return(instruction, pc_));
    change_privilege(back.privilege, last_retirement_);
}

void Hart::fence_translations(std::optional<Address> address, std::optional<std::uint16_t> asid) {
    mmu_.flush(address, asid);
    leave_fetch_pages();
}

void Hart::fence_instructions() {
    emptied_word_ = current_ != nullptr ? current_->raw : 0;
    decode_cache_.flush();
    fast_.memo.clear();
    leave_fetch_pages();
}

} // namespace pes
