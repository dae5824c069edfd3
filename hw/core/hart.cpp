// SPDX-License-Identifier: Apache-2.0
// The run loop: fetch, interrupts, execution; and what happens around it: traps, privilege changes,
// the hand-over of pulses to the counter bank.
#include "hw/core/hart.h"

#include "hw/common/maps/csr.h"

#include <algorithm>

namespace pes {

namespace {

constexpr Cycle later(Cycle base, Cycle by) {
    return base > kNever - by ? kNever : base + by;
}

} // namespace

Hart::Hart(const HartConfig& config, HartBus& bus, CounterBank& bank)
    : config_(config), bus_(bus), bank_(bank), pc_(config.reset_pc),
      csr_(config.id, config.pmp_entries,
           bank.owns(csr::kScountovf) ? OverflowInterrupt::Present : OverflowInterrupt::Absent),
      mmu_(config_, csr_, *this), pipeline_(config_.timing, pulses_, *this, config_.sources),
      decode_cache_(config.decoded_pages), blocks_allowed_(config.path != ExecutionPath::Step) {
    pulses_.close(bank_.now());
    update_bank_deadline();
}

void Hart::set_pc(Address pc) {
    pc_ = pc;
    leave_fetch_pages();
    block_begins_ = true;
    fetched_ = false; // an instruction fetched before a stop belongs to the old address
}

void Hart::set_horizon(Cycle horizon) {
    horizon_ = horizon;
    attention_ = 0;
}

void Hart::set_interrupt(Interrupt line, bool level, Cycle at) {
    const auto place = std::find_if(interrupt_changes_.begin(), interrupt_changes_.end(),
                                    [at](const InterruptChange& change) { return change.at > at; });
    interrupt_changes_.insert(place, {at, line, level});
    attention_ = 0;
}

// --- The loop -----------------------------------------------------------------------------------

HartStop Hart::run() {
    while (!trap_loop_) {
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
        if (decode_ >= attention_) [[unlikely]] {
            const bool anew = attention_ == 0;
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
    history_[passages_++ % kHistory] = {.pc = pc_, .count = 1};
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
    tell_observers([&](HartObserver& observer) { observer.retired(retirement); });
}

/// One that is added meanwhile is told as well.
template <typename Call>
void Hart::tell_observers(Call call) {
    telling_ = true;
    // NOLINTNEXTLINE(modernize-loop-convert): a call may add an observer and so move the vector
    for (std::size_t index = 0; index < observers_.size(); ++index) {
        if (observers_[index] != nullptr) {
            call(*observers_[index]);
        }
    }
    telling_ = false;
    if (observer_left_) [[unlikely]] {
        observer_left_ = false;
        std::erase(observers_, nullptr);
    }
}

void Hart::remove_observer(const HartObserver& observer) {
    const auto place = std::find(observers_.begin(), observers_.end(), &observer);
    if (place == observers_.end()) {
        return;
    }
    if (telling_) {
        *place = nullptr;
        observer_left_ = true;
    } else {
        observers_.erase(place);
    }
}

// --- Interrupts, horizon, counter bank ----------------------------------------------------------

/// Called when the next instruction decodes at or after attention_. False: leave run().
bool Hart::attend() {
    if (decode_ < held_until_ && !sit_out_hold()) {
        return false;
    }
    if (decode_ >= bank_deadline_ || decode_ >= pulses_.first_open() + kHandOver) {
        bring_bank_to(decode_ - kMarkDistance);
    }
    if (decode_ >= horizon_) {
        return false;
    }
    apply_interrupt_changes();
    const Cycle next_change = interrupt_changes_.empty() ? kNever : interrupt_changes_.front().at;
    const Cycle awake = decode_ < woken_in_ ? woken_in_ : kNever;
    attention_ = std::min(
        {horizon_, bank_deadline_, next_change, awake, later(pulses_.first_open(), kHandOver)});
    return true;
}

void Hart::apply_interrupt_changes() {
    auto change = interrupt_changes_.begin();
    for (; change != interrupt_changes_.end() && change->at <= decode_; ++change) {
        if (change->line == Interrupt::CounterOverflow) {
            csr_.request_overflow_interrupt();
        } else {
            csr_.set_interrupt_line(static_cast<unsigned>(change->line), change->level);
        }
    }
    interrupt_changes_.erase(interrupt_changes_.begin(), change);
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
        apply_interrupt_changes();
        if ((csr_.mip() & csr_.mie()) != 0) {
            waiting_ = false;
            settle_pulses();
            if (config_.wfi_interrupt == WfiInterrupt::AtOnce) {
                pipeline_.resume_at(decode_);
            } else {
                pipeline_.wake_in(decode_);
                woken_in_ = decode_;
                decode_ = pipeline_.decode();
            }
            attention_ = 0;
            return std::nullopt;
        }
        const Cycle next_change =
            interrupt_changes_.empty() ? kNever : interrupt_changes_.front().at;
        const Cycle next = std::min({horizon_, bank_deadline_, next_change});
        if (decode_ >= horizon_) {
            return HartStop::WaitForInterrupt;
        }
        decode_ = std::max(decode_, next);
        if (decode_ >= bank_deadline_) {
            bring_bank_to(decode_ - kMarkDistance);
        }
    }
}

void Hart::hold_until(Cycle cycle) {
    held_until_ = std::max(held_until_, cycle);
    attention_ = 0;
}

/// The instruction that was fetched stays in decode. False if the horizon comes first.
bool Hart::sit_out_hold() {
    while (decode_ < held_until_) {
        if (decode_ >= horizon_) {
            return false;
        }
        decode_ = std::max(decode_, std::min({horizon_, bank_deadline_, held_until_}));
        if (decode_ >= bank_deadline_) {
            bring_bank_to(decode_ - kMarkDistance);
        }
    }
    settle_pulses();
    pipeline_.resume_at(decode_);
    return true;
}

/// Hands over all pulses up to and including `cycle`.
void Hart::bring_bank_to(Cycle cycle) {
    Cycle now = bank_.now();
    // The log does not tell apart any more what lies before this. Blocks have passed it by, and
    // only because no edge could be there.
    const Cycle passed_by = std::min(pulses_.first_open() - 1, cycle);
    if (now < passed_by) {
        bank_.advance(pulses_.totals_through(passed_by), passed_by);
        now = passed_by;
    }
    // A single cycle is a tick() at worst, which costs less than to ask for room.
    if (now + 1 < cycle && bank_.safe_cycles() < cycle - now) {
        const PulseRoom room = bank_.room();
        if (room.cycle >= cycle) { // counters in RTL never have any
            const EventTotals totals = pulses_.totals_through(cycle);
            if (room.holds(totals, cycle)) {
                bank_.advance(totals, cycle);
                now = cycle;
            }
        }
    }
    while (now < cycle) {
        const Cycle left = cycle - now;
        const Cycle span = std::min(bank_.safe_cycles(), left);
        if (span >= kWorthAdvancing || (span != 0 && span == left)) {
            now += span;
            bank_.advance(pulses_.totals_through(now), now);
        } else {
            ++now;
            bank_.tick(pulses_.at(now), now);
        }
        report_bank_lines();
    }
    pulses_.close(cycle);
    update_bank_deadline();
}

void Hart::update_bank_deadline() {
    bank_deadline_ = later(later(bank_.now(), bank_.safe_cycles()), kMarkDistance + 1);
    attention_ = std::min(attention_, bank_deadline_);
}

void Hart::report_bank_lines() {
    for (unsigned line = 0; line < kBankLineCount; ++line) {
        const BankInterrupt now = bank_.interrupt(static_cast<BankLine>(line));
        if (static_cast<BankLine>(line) == BankLine::Overflow) {
            if (now.level) {
                set_interrupt(Interrupt::CounterOverflow, true, bank_.now() + 1 + kRequestToMip);
            }
            continue;
        }
        if (now.level != bank_line_[line]) {
            bank_line_[line] = now.level;
            if (counter_lines_ != nullptr) {
                counter_lines_->set_level(line, now.level, now.since);
            }
        }
    }
}

/// Before a device sees an access at `at`, it has seen every counter edge before it that is
/// certain. Nothing later retires before the access itself does: a load retires after `at`; a store
/// goes out after its retirement, which is later than that of the instruction before it, since
/// stores retire on the first port only. Accesses reach devices in program order.
Cycle Hart::sync_for_device(Cycle at, Access access) {
    at = std::max(at, last_device_access_);
    last_device_access_ = at;
    const Cycle certain =
        access == Access::Load ? at - 1 : std::min(at - 1, std::max(last_retirement_, decode_));
    if (certain > bank_.now()) {
        bring_bank_to(certain);
    }
    return at;
}

/// A refused access may have brought the bank further than that.
void Hart::settle(Cycle end) {
    bring_bank_to(std::max(end, bank_.now()));
}

/// The instruction in hand has pulsed all that it does, and none after it pulses before this.
std::uint64_t Hart::observe_counter(std::uint16_t csr, Cycle at) {
    const Cycle certain =
        std::min(at - std::min<Cycle>(at, 1), decode_ - std::min(decode_, kMarkDistance));
    if (certain > bank_.now()) {
        bring_bank_to(certain);
    }
    return bank_.owns(csr) ? bank_.peek(csr) : 0;
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
    // An exception on the very first instruction of the handler, in the handler's mode, with
    // nothing retired since the last trap, repeats for ever.
    const bool exception = (cause & kInterruptBit) == 0;
    trap_loop_ = exception && retired_at_trap_ == retired_ && epc == last_vector_ &&
                 entry.vector == last_vector_ && from == entry.privilege;
    ++traps_;
    retired_at_trap_ = retired_;
    last_vector_ = entry.vector;
    const TrapTaken trap{.cycle = cycle,
                         .cause = cause,
                         .epc = epc,
                         .tval = tval,
                         .vector = entry.vector,
                         .from = from,
                         .to = entry.privilege};
    if (trap_loop_) {
        handler_cause_ = cause; // the trap that led here is the one worth a report
    } else {
        last_trap_ = trap;
    }
    tell_observers([&](HartObserver& observer) { observer.trapped(trap); });
    pc_ = entry.vector;
    block_begins_ = true;
    change_privilege(entry.privilege, cycle);
}

TrapReport Hart::trap_report() const {
    TrapReport report{.cause = last_trap_.cause,
                      .pc = last_trap_.epc,
                      .tval = last_trap_.tval,
                      .privilege = last_trap_.from,
                      .handler = last_trap_.vector,
                      .handler_cause = handler_cause_,
                      .last_instructions = {}};
    std::vector<Address>& last = report.last_instructions;
    const std::uint64_t count = std::min<std::uint64_t>(passages_, kHistory);
    for (std::uint64_t index = passages_ - count; index < passages_; ++index) {
        const Passage& passage = history_[index % kHistory];
        Address pc = passage.pc;
        for (unsigned instruction = 0; instruction < passage.count; ++instruction) {
            last.push_back(pc);
            pc += (passage.long_instructions >> instruction & 1) != 0 ? 4 : 2;
        }
    }
    if (last.size() > kHistory) {
        last.erase(last.begin(), last.end() - kHistory);
    }
    return report;
}

// --- Context ------------------------------------------------------------------------------------

void Hart::change_privilege(Privilege privilege, Cycle cycle) {
    if (privilege != privilege_) {
        // An access that was refused has brought the counters up to its cycle; its trap may lie
        // before that. Filters see the new mode from the next cycle on then.
        bank_.set_privilege(privilege, std::max(cycle, bank_.now() + 1) + 1);
        update_bank_deadline();
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
    pages_ = &host_pages_[data_privilege_ == Privilege::Machine ? 1 : 0];
    attention_ = 0;
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
