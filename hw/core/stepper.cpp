// SPDX-License-Identifier: Apache-2.0
#include "hw/core/stepper.h"

#include "hw/common/copy_access.h"
#include "hw/core/arch/csr_numbers.h"
#include "hw/core/arch/retire_class.h"
#include "hw/core/memory/faults.h"
#include "hw/interface/maps/csr.h"

#include <algorithm>

namespace pes {

Stepper::Stepper(HartParts& parts) : hart_(parts), time_(parts.time), misaligned_(parts, *this) {
    hart_.execution.set_system(*this);
    hart_.execution.set_mode(*this);
}

// --- One instruction ----------------------------------------------------------------------------

// What follows gets the parts as an argument, so that the loop keeps their address in a register.

/// Null if the fetch has failed.
[[gnu::always_inline]] inline const Instruction* Stepper::fetch_next(HartParts& hart) {
    const Instruction* const instruction = hart.code.fetch();
    current_ = instruction;
    if (instruction == nullptr) [[unlikely]] {
        decode_failing_fetch();
        return nullptr;
    }
    hart.enter_page(hart.code.page().global);
    const Address physical = hart.code.physical(hart.arch().pc);
    if (const SecondHalf* const second = hart.code.second_half(*instruction)) [[unlikely]] {
        const PageWalk* const walk = hart.code.take_walk();
        decoded_in(hart, hart.pipeline.fetch(hart.arch().pc, physical, 4, walk, second));
        hart.code.leave_page(); // the frontend has looked up the next one
        return instruction;
    }
    decode_in_time(hart, *instruction, physical, hart.code.take_walk());
    return instruction;
}

[[gnu::always_inline]] inline void Stepper::decode_in_time(HartParts& hart,
                                                           const Instruction& instruction,
                                                           Address physical, const PageWalk* walk) {
    decoded_in(hart, hart.pipeline.fetch(hart.arch().pc, physical, instruction.length, walk));
}

[[gnu::always_inline]] inline void Stepper::decoded_in(HartParts& hart, Cycle decode) {
    hart.time.decode = decode;
    hart.feed.settle_before(decode);
}

/// False if it has trapped or returned from a trap.
[[gnu::always_inline]] inline bool Stepper::execute(HartParts& hart,
                                                    const Instruction& instruction) {
    hart.arch().next_pc = hart.arch().pc + instruction.length;
    hart.pipeline.issue(instruction);
    hart.notes().begin();
    if (instruction.memory_size != 0) {
        hart.notes().begin_access();
        if (hart.truth) [[unlikely]] {
            hart.truth->accesses(hart.arch().x[instruction.rs1] +
                                 static_cast<std::uint64_t>(instruction.imm));
        }
    }
    instruction.execute(hart.execution, instruction);
    if (hart.notes().done) [[unlikely]] {
        return false;
    }
    const Cycle retired = hart.retire(instruction, hart.notes().facts[0]);
    if (instruction.timing == TimingClass::CsrRefetch) [[unlikely]] {
        hart.pipeline.accept(hart.arch().csr.float_use());
    }
    retire_at(hart, instruction, retired);
    return true;
}

[[gnu::always_inline]] inline void Stepper::retire_at(HartParts& hart,
                                                      const Instruction& instruction, Cycle cycle) {
    hart.history.passed(hart.arch().pc, 1, 0);
    ++hart.time.retired;
    hart.block_start.here = instruction.role != BlockRole::Inside;
    hart.time.block_ended = hart.block_start.here ? hart.time.decode : 0;
    if (hart.block_start.behind) [[unlikely]] {
        hart.block_start = {.here = true, .behind = false};
    }
    hart.time.last_retirement = cycle;
    if (!hart.observers.empty()) [[unlikely]] {
        observe(instruction, cycle);
    }
    if (hart.watch && hart.watch->follows()) [[unlikely]] {
        end_sample(instruction);
    }
    hart.arch().pc = hart.arch().next_pc;
}

void Stepper::fetch() {
    fetch_next(hart_);
    fetched_ = true;
}

/// An interrupt may come in place of its exception, so that one waits in decode as instructions do.
void Stepper::decode_failing_fetch() {
    const FetchFault& fault = hart_.code.fault();
    const Address pc = hart_.arch().pc;
    hart_.enter_page(false);
    if (fault.half == FetchFault::Half::Second) {
        hart_.pipeline.fetch_first_half(pc, hart_.code.physical(pc), hart_.code.take_walk());
    }
    decoded_in(hart_, hart_.pipeline.failing_fetch(pc, fault.walk));
}

void Stepper::raise_fetch_fault() {
    const FetchFault& fault = hart_.code.fault();
    raise(fault.cause, fault.address);
}

void Stepper::execute() {
    fetched_ = false;
    if (current_ == nullptr) [[unlikely]] {
        raise_fetch_fault();
    } else {
        execute(hart_, *current_);
    }
}

void Stepper::execute_on(bool blocks) {
    HartParts& hart = hart_;
    const Instruction* instruction = current_;
    fetched_ = false;
    if (instruction == nullptr) [[unlikely]] {
        raise_fetch_fault();
        return;
    }
    while (execute(hart, *instruction)) {
        if (hart.block_start.here && (blocks || waiting_)) { // a block may begin behind WFI
            return;
        }
        instruction = fetch_next(hart);
        if (instruction == nullptr || hart.attention.due(hart.time.decode)) [[unlikely]] {
            fetched_ = true;
            return;
        }
    }
}

bool Stepper::fetch_and_execute(const Instruction& instruction, Address physical,
                                CycleRecorder& recorder) {
    decode_in_time(hart_, instruction, physical, nullptr);
    current_ = &instruction;
    recorder_ = &recorder;
    execute();
    recorder_ = nullptr;
    return !hart_.notes().done;
}

void Stepper::change_mode(const Instruction& instruction, Cycle cycle) {
    current_ = &instruction;
    timed_at_ = cycle;
    hart_.execution.set_mode(*this);
    instruction.execute(hart_.execution, instruction);
    timed_at_.reset();
}

/// The events that the pipeline pulses in the cycle of its retirement: its class, and those that
/// only its execution determines.
EventMask Stepper::retirement_events(const Instruction& instruction) const {
    const EventMask events = instruction.commit_events;
    switch (instruction.timing) {
    case TimingClass::Branch:
        return hart_.arch().next_pc == hart_.arch().pc + instruction.length &&
                       (!branches_in_place(instruction) || hart_.notes().facts[0] == 0)
                   ? events
                   : events | event_bit(Event::TakenBranch);
    case TimingClass::TrapReturn:
        return events | event_bit(Event::ExceptionReturn);
    case TimingClass::SfenceVma:
        return events | event_bit(Event::TlbFlush);
    case TimingClass::Load:
        return hart_.notes().cacheable ? events : events | event_bit(Event::ExternalLoad);
    case TimingClass::Store:
        return hart_.notes().cacheable ? events : events | event_bit(Event::ExternalStore);
    default:
        return events;
    }
}

void Stepper::end_sample(const Instruction& instruction) {
    hart_.watch->retired(hart_.arch().next_pc,
                         retirement_events(instruction).has(Event::TakenBranch),
                         hart_.access_of(instruction, hart_.notes().facts[0]));
}

void Stepper::observe(const Instruction& instruction, Cycle cycle) {
    const Retirement retirement{.cycle = cycle,
                                .pc = hart_.arch().pc,
                                .next_pc = hart_.arch().next_pc,
                                .raw = instruction.raw != 0 ? instruction.raw : emptied_word_,
                                .length = instruction.length,
                                .privilege = hart_.arch().privilege,
                                .destination = instruction.rd,
                                .events = retirement_events(instruction),
                                .kind = retire_class(instruction.timing),
                                .written = retire_register(instruction.rd)};
    hart_.observers.tell([&](HartObserver& observer) { observer.retired(retirement); });
}

// --- Interrupts, horizon, counter bank ----------------------------------------------------------

bool Stepper::attend() {
    if (time_.decode < time_.held_until && !sit_out_hold()) {
        return false;
    }
    if (hart_.feed.due(time_.decode)) {
        hart_.feed.bring_to_decode(time_.decode);
    }
    if (time_.decode >= time_.horizon || time_.turn_is_over()) {
        return false;
    }
    hart_.interrupts.apply(time_.decode, hart_.arch().csr);
    hart_.begin_pipeline_watches();
    const Cycle awake = time_.decode < time_.woken_in ? time_.woken_in : kNever;
    hart_.attention.put_off_to(std::min(
        {time_.horizon, time_.turn_end, hart_.feed.deadline(), hart_.interrupts.next_change(),
         awake, hart_.feed.next_hand_over(), hart_.pipeline_watches.next()}));
    return true;
}

/// The instruction in decode is marked if an enabled interrupt is pending; it is squashed when it
/// reaches retirement.
bool Stepper::take_interrupt() {
    if (time_.decode < time_.woken_in) {
        return false;
    }
    const std::optional<unsigned> number =
        hart_.arch().csr.pending_interrupt(hart_.arch().privilege);
    if (!number) {
        return false;
    }
    if (comes_later(*number)) {
        hart_.attention.ask_now();
        return false;
    }
    fetched_ = false;
    const Cycle cycle = current_ == nullptr
                            ? hart_.pipeline.trap_failed_fetch(CycleReason::Interrupt)
                            : hart_.pipeline.interrupt(*current_);
    if (hart_.truth) {
        hart_.truth->interrupted(*number, cycle);
    }
    enter_trap(kInterruptBit | *number, 0, cycle);
    return true;
}

/// Time passes, up to the end of the turn, until an interrupt that mie enables is pending. CVA6
/// only halts retirement: instructions decoded meanwhile, as far as the scoreboard has room, come
/// before the interrupt, and their loads have been sent. [core/csr_regfile.sv,
/// core/commit_stage.sv]
std::optional<HartStop> Stepper::wait() {
    while (true) {
        hart_.interrupts.apply(time_.decode, hart_.arch().csr);
        if ((hart_.arch().csr.mip() & hart_.arch().csr.mie()) != 0) {
            waiting_ = false;
            hart_.feed.settle_before(time_.decode);
            hart_.pipeline.attribution().idle_through(time_.decode);
            if (hart_.config.wfi_interrupt == WfiInterrupt::AtOnce) {
                hart_.pipeline.resume_at(time_.decode);
            } else {
                hart_.pipeline.wake_in(time_.decode);
                time_.woken_in = time_.decode;
                time_.decode = hart_.pipeline.decode();
            }
            hart_.attention.ask_now();
            return std::nullopt;
        }
        const Cycle end = std::min(time_.horizon, time_.turn_end);
        const Cycle next = std::min({end, hart_.feed.deadline(), hart_.interrupts.next_change()});
        if (time_.decode >= end) {
            return HartStop::WaitForInterrupt;
        }
        time_.decode = std::max(time_.decode, next);
        if (time_.decode >= hart_.feed.deadline()) {
            hart_.feed.bring_to_decode(time_.decode);
        }
    }
}

/// The instruction that was fetched stays in decode. False if the horizon comes first.
bool Stepper::sit_out_hold() {
    const Cycle from = time_.decode;
    while (time_.decode < time_.held_until) {
        if (time_.decode >= time_.horizon) {
            return false;
        }
        time_.decode = std::max(time_.decode,
                                std::min({time_.horizon, hart_.feed.deadline(), time_.held_until}));
        if (time_.decode >= hart_.feed.deadline()) {
            hart_.feed.bring_to_decode(time_.decode);
        }
    }
    hart_.feed.settle_before(time_.decode);
    hart_.pipeline.resume_at(time_.decode);
    if (hart_.skidless) {
        hart_.skidless->held(from, time_.decode);
    }
    return true;
}

/// The instruction in decode has caused the interrupt and must not skid. One whose fetch has failed
/// is never executed, so the interrupt comes in place of its exception.
bool Stepper::comes_later(unsigned interrupt) const {
    return current_ != nullptr && interrupt == static_cast<unsigned>(Interrupt::CounterOverflow) &&
           hart_.skidless && hart_.skidless->comes_behind_instruction_in_hand();
}

// --- Traps and context --------------------------------------------------------------------------

void Stepper::raise(Cause cause, std::uint64_t tval) {
    hart_.notes().done = true;
    fetched_ = false;
    const Cycle cycle = timed_at_             ? *timed_at_
                        : current_ == nullptr ? hart_.pipeline.trap_failed_fetch()
                                              : hart_.pipeline.exception(*current_);
    enter_trap(static_cast<std::uint64_t>(cause), tval, cycle);
}

void Stepper::enter_trap(std::uint64_t cause, std::uint64_t tval, Cycle cycle) {
    const Privilege from = hart_.arch().privilege;
    const Address epc = hart_.arch().pc;
    time_.woken_in = 0;
    time_.block_ended = time_.decode;
    const CsrFile::TrapEntry entry = hart_.arch().csr.enter_trap(cause, epc, tval, from);
    const TrapTaken trap{.cycle = cycle,
                         .cause = cause,
                         .epc = epc,
                         .tval = tval,
                         .vector = entry.vector,
                         .from = from,
                         .to = entry.privilege};
    hart_.history.trapped(
        trap, {.retired = time_.retired, .interruptible = hart_.arch().csr.may_interrupt(trap.to)});
    if (hart_.watch && hart_.watch->follows()) [[unlikely]] {
        hart_.watch->trapped((cause & kInterruptBit) != 0);
    }
    hart_.observers.tell([&](HartObserver& observer) { observer.trapped(trap); });
    if (hart_.transfers) {
        hart_.transfers->trapped(trap);
    }
    hart_.arch().pc = entry.vector;
    hart_.block_start.here = true;
    change_privilege(entry.privilege, cycle);
}

void Stepper::change_privilege(Privilege privilege, Cycle cycle) {
    if (privilege != hart_.arch().privilege) {
        hart_.feed.change_privilege(privilege, cycle);
    }
    const bool other = privilege != hart_.arch().privilege;
    hart_.arch().privilege = privilege;
    context_changed();
    if (other && hart_.mode_sink != nullptr) [[unlikely]] {
        hart_.mode_sink->entered(privilege, hart_.arch().pc);
    }
}

/// Recomputes what depends on privilege, mstatus, satp and PMP.
void Stepper::context_changed() {
    hart_.code.leave_page();
    hart_.execution.data().context_changed();
    hart_.enter_context();
    hart_.attention.ask_now();
}

// --- System instructions ------------------------------------------------------------------------

void Stepper::finish_return(const Instruction& instruction, const CsrFile::TrapReturn& back) {
    hart_.notes().done = true;
    const Address pc = hart_.arch().pc;
    hart_.arch().next_pc = back.pc;
    retire_at(hart_, instruction,
              timed_at_ ? *timed_at_ : hart_.pipeline.retire_return(instruction, pc));
    if (hart_.transfers) {
        hart_.transfers->returned(pc, back.pc, back.privilege, time_.last_retirement);
    }
    change_privilege(back.privilege, time_.last_retirement);
}

/// With several harts a sleeping one must not run ahead: any other may wake it in any cycle.
void Stepper::wait_for_interrupt() {
    waiting_ = true;
    if (hart_.execution.data().reservation().has_neighbours()) {
        time_.horizon = 0;
        hart_.attention.ask_now();
    }
}

void Stepper::fence_translations(std::optional<Address> address,
                                 std::optional<std::uint16_t> asid) {
    hart_.execution.data().mmu().flush(address, asid);
    hart_.buffer_port.fenced();
    hart_.code.leave_page();
}

void Stepper::fence_instructions(const Instruction& fence) {
    emptied_word_ = fence.raw;
    hart_.code.flush();
}

/// Only decoded if there are records.
void Stepper::clear_transfer_records(Cycle at) {
    hart_.transfers->clear(at);
}

void Stepper::take_effect(CsrEffect effect, Cycle at) {
    if (effect == CsrEffect::Timer) {
        hart_.devices.set_supervisor_timer(hart_.arch().csr.stimecmp(), at);
    }
    if (effect == CsrEffect::DataAccess) {
        hart_.execution.data().context_changed();
    }
    if (effect == CsrEffect::Protection) {
        hart_.execution.data().protection_changed();
        hart_.code.forget_pages();
    }
    if (effect == CsrEffect::Protection || effect == CsrEffect::Translation) {
        context_changed();
    }
}

// --- Accesses -----------------------------------------------------------------------------------

/// An access that PMP refuses has been translated nevertheless.
void Stepper::raise_refused(Cause cause, Address address) {
    if (hart_.notes().walk != nullptr) {
        hart_.pipeline.failed_walk(*current_, *hart_.notes().walk);
    }
    raise(cause, address);
}

bool Stepper::translate(Address address, Access access, Address& physical) {
    const Translation translation = hart_.execution.data().translate(address, access);
    if (translation.fault) {
        if (translation.walk != nullptr) {
            hart_.pipeline.failed_walk(*current_, *translation.walk);
        }
        raise(*translation.fault, address);
        return false;
    }
    physical = translation.physical;
    hart_.notes().walk = translation.walk;
    return true;
}

/// The kind of access that PMP allows or refuses.
Access Stepper::checked_as(const Instruction& instruction, Address physical, Access access) {
    if (hart_.execution.data().open_to_both(physical, instruction.memory_size) ||
        !hart_.config.memory.contains(physical)) [[likely]] {
        return access;
    }
    const std::optional<Instruction> next = hart_.code.next_in_page();
    if (!next || (next->timing != TimingClass::Store && !is_atomic(next->timing))) {
        return Access::Load;
    }
    hart_.notes().cacheable = hart_.config.memory.contains(physical);
    hart_.pipeline.memory_request(instruction, hart_.access_of(instruction, physical));
    hart_.notes().walk = nullptr; // it has been timed
    return hart_.pipeline.follows_at_once(instruction, *next) ? Access::Store : Access::Load;
}

bool Stepper::load(const Instruction& instruction, Address address, Address physical, void* data) {
    const unsigned size = instruction.memory_size;
    DataMemory& memory = hart_.execution.data();
    DeviceAccess access{.access = Access::Load, .physical = physical, .size = size};
    const Access checked = checked_as(instruction, physical, Access::Load);
    const bool allowed = memory.allowed(physical, size, checked);
    if (const std::byte* const plain =
            allowed ? memory.plain(physical, size, Access::Load) : nullptr) {
        copy_register(data, plain, size);
    } else if (allowed && reach_device(instruction, access) == BusStatus::Ok) {
        copy_register(data, &access.data, size);
    } else {
        allowed ? raise(Cause::LoadAccess, address) : raise_refused(access_fault(checked), address);
        return false;
    }
    note_watched(address, size, Access::Load);
    return true;
}

bool Stepper::store(const Instruction& instruction, Address address, Address physical,
                    const void* data) {
    const unsigned size = instruction.memory_size;
    DataMemory& memory = hart_.execution.data();
    DeviceAccess access{.access = Access::Store, .physical = physical, .size = size};
    copy_register(&access.data, data, size);
    const Access checked = checked_as(instruction, physical, Access::Store);
    const bool allowed = memory.allowed(physical, size, checked);
    if (std::byte* const plain = allowed ? memory.plain(physical, size, Access::Store) : nullptr) {
        copy_register(plain, data, size);
        memory.put_back(plain, size);
    } else if (!allowed || reach_device(instruction, access) != BusStatus::Ok) {
        allowed ? raise(Cause::StoreAccess, address)
                : raise_refused(access_fault(checked), address);
        return false;
    }
    note_watched(address, size, Access::Store);
    return true;
}

BusStatus Stepper::reach_device(const Instruction& instruction, DeviceAccess& access) {
    hart_.notes().cacheable = hart_.config.memory.contains(access.physical);
    const Cycle arrival =
        hart_.pipeline.memory_request(instruction, hart_.access_of(instruction, access.physical));
    const Cycle at = hart_.devices.prepare(arrival, access.access);
    const DeviceAccess* const made = recorder_ == nullptr ? nullptr : recorder_->made_access();
    if (made != nullptr) {
        access = *made;
    } else {
        hart_.devices.make(access, at);
    }
    hart_.notes().device_latency = access.result.latency;
    if (recorder_ != nullptr) {
        recorder_->device_reached(access, arrival);
    }
    return access.result.status;
}

std::byte* Stepper::atomic(Address physical, unsigned size, Access access) {
    std::byte* const word = hart_.execution.data().atomic(physical, size, access);
    if (word != nullptr) {
        note_watched(hart_.arch().x[current_->rs1], size, access);
    }
    return word;
}

bool Stepper::load_misaligned(const Instruction& instruction, Address address, void* data) {
    const bool loaded = misaligned_.load(instruction, address, data);
    if (loaded) {
        note_watched(address, instruction.memory_size, Access::Load);
    }
    return loaded;
}

bool Stepper::store_misaligned(const Instruction& instruction, Address address, const void* data) {
    const bool stored = misaligned_.store(instruction, address, data);
    if (stored) {
        note_watched(address, instruction.memory_size, Access::Store);
    }
    return stored;
}

std::optional<std::uint64_t> Stepper::read_csr(std::uint16_t number, Cycle at) {
    const bool time = number == csr::kTime && hart_.config.time_csr;
    if (shows_interrupts(number)) {
        hart_.devices.reach(at);
        const CsrFile& csr = hart_.arch().csr;
        const std::uint64_t pending = csr.mip_with(hart_.interrupts.lines_in(at, csr));
        return number == csr::kMip ? pending : csr.delegated(pending);
    }
    if (!time && !hart_.csrs.is_counter(number)) {
        return hart_.csrs.read_register(number);
    }
    if (recorder_ != nullptr) {
        recorder_->counter_read(at);
    }
    if (time) {
        return hart_.bus.time(at);
    }
    hart_.feed.bring_to(at - 1);
    return hart_.csrs.read_counter(number);
}

} // namespace pes
