// SPDX-License-Identifier: Apache-2.0
#include "hw/core/stepper.h"

#include "hw/common/copy_access.h"
#include "hw/interface/maps/csr.h"

#include <algorithm>

namespace pes {

Stepper::Stepper(HartParts& parts) : h_(parts), time_(parts.time), misaligned_(parts, *this) {
    h_.execution.set_system(*this);
    h_.execution.set_mode(*this);
}

// --- One instruction ----------------------------------------------------------------------------

bool Stepper::fetch() {
    current_ = h_.code.fetch();
    if (current_ == nullptr) [[unlikely]] {
        const FetchFault& fault = h_.code.fault();
        if (fault.by_translation) {
            h_.pipeline.failing_fetch(fault.walk);
        }
        raise(fault.cause, fault.address);
        return false;
    }
    decode_in_time(*current_, h_.code.physical(h_.arch().pc));
    fetched_ = true;
    return true;
}

void Stepper::decode_in_time(const Instruction& instruction, Address physical) {
    time_.decode =
        h_.pipeline.fetch(h_.arch().pc, physical, instruction.length, h_.code.take_walk());
    h_.feed.settle_before(time_.decode);
}

void Stepper::execute() {
    fetched_ = false;
    const Instruction& instruction = *current_;
    h_.arch().next_pc = h_.arch().pc + instruction.length;
    h_.pipeline.issue(instruction);
    h_.notes().begin_stepping();
    instruction.execute(h_.execution, instruction);
    if (!h_.notes().done) [[likely]] {
        retire_at(instruction, h_.retire(instruction, h_.notes().facts[0]));
    }
}

bool Stepper::fetch_and_execute(const Instruction& instruction, Address physical,
                                CycleRecorder& recorder) {
    time_.decode = h_.pipeline.fetch(h_.arch().pc, physical, instruction.length, nullptr);
    h_.feed.settle_before(time_.decode);
    current_ = &instruction;
    recorder_ = &recorder;
    execute();
    recorder_ = nullptr;
    return !h_.notes().done;
}

void Stepper::retire_at(const Instruction& instruction, Cycle cycle) {
    h_.history.passed(h_.arch().pc, 1, 0);
    ++time_.retired;
    h_.block_start.here = instruction.role != BlockRole::Inside || h_.block_start.behind;
    h_.block_start.behind = false;
    time_.last_retirement = cycle;
    if (!h_.observers.empty()) [[unlikely]] {
        observe(instruction, cycle);
    }
    h_.arch().pc = h_.arch().next_pc;
}

/// What the pipeline pulses in the cycle of its retirement: its class, and what only its execution
/// tells.
EventMask Stepper::retirement_events(const Instruction& instruction) const {
    const EventMask events = instruction.commit_events;
    switch (instruction.timing) {
    case TimingClass::Branch:
        return h_.arch().next_pc == h_.arch().pc + instruction.length &&
                       (!branches_in_place(instruction) || h_.notes().facts[0] == 0)
                   ? events
                   : events | event_bit(Event::TakenBranch);
    case TimingClass::TrapReturn:
        return events | event_bit(Event::ExceptionReturn);
    case TimingClass::SfenceVma:
        return events | event_bit(Event::TlbFlush);
    case TimingClass::Load:
        return h_.notes().cacheable ? events : events | event_bit(Event::ExternalLoad);
    case TimingClass::Store:
        return h_.notes().cacheable ? events : events | event_bit(Event::ExternalStore);
    default:
        return events;
    }
}

void Stepper::observe(const Instruction& instruction, Cycle cycle) {
    const Retirement retirement{.cycle = cycle,
                                .pc = h_.arch().pc,
                                .next_pc = h_.arch().next_pc,
                                .raw = instruction.raw != 0 ? instruction.raw : emptied_word_,
                                .length = instruction.length,
                                .privilege = h_.arch().privilege,
                                .destination = instruction.rd,
                                .events = retirement_events(instruction)};
    h_.observers.tell([&](HartObserver& observer) { observer.retired(retirement); });
}

// --- Interrupts, horizon, counter bank ----------------------------------------------------------

bool Stepper::attend() {
    if (time_.decode < time_.held_until && !sit_out_hold()) {
        return false;
    }
    if (h_.feed.due(time_.decode)) {
        h_.feed.bring_to_decode(time_.decode);
    }
    if (time_.decode >= time_.horizon) {
        return false;
    }
    h_.interrupts.apply(time_.decode, h_.arch().csr);
    const Cycle awake = time_.decode < time_.woken_in ? time_.woken_in : kNever;
    h_.attention.put_off_to(
        std::min({time_.horizon, h_.feed.deadline(), h_.interrupts.next_change(), awake,
                  h_.feed.next_hand_over()}));
    return true;
}

/// The instruction in decode is marked if an enabled interrupt is pending; it is squashed when it
/// reaches retirement.
bool Stepper::take_interrupt() {
    if (time_.decode < time_.woken_in) {
        return false;
    }
    const std::optional<unsigned> number = h_.arch().csr.pending_interrupt(h_.arch().privilege);
    if (!number) {
        return false;
    }
    fetched_ = false;
    const Cycle cycle = h_.pipeline.interrupt(*current_);
    enter_trap(kInterruptBit | *number, 0, cycle);
    return true;
}

/// Time passes, up to the horizon, until an interrupt that mie enables is pending. CVA6 halts
/// retirement only. What is decoded meanwhile, as far as the scoreboard has room, comes before the
/// interrupt, and its loads have gone out. [core/csr_regfile.sv, core/commit_stage.sv]
std::optional<HartStop> Stepper::wait() {
    while (true) {
        h_.interrupts.apply(time_.decode, h_.arch().csr);
        if ((h_.arch().csr.mip() & h_.arch().csr.mie()) != 0) {
            waiting_ = false;
            h_.feed.settle_before(time_.decode);
            if (h_.config.wfi_interrupt == WfiInterrupt::AtOnce) {
                h_.pipeline.resume_at(time_.decode);
            } else {
                h_.pipeline.wake_in(time_.decode);
                time_.woken_in = time_.decode;
                time_.decode = h_.pipeline.decode();
            }
            h_.attention.ask_now();
            return std::nullopt;
        }
        const Cycle next =
            std::min({time_.horizon, h_.feed.deadline(), h_.interrupts.next_change()});
        if (time_.decode >= time_.horizon) {
            return HartStop::WaitForInterrupt;
        }
        time_.decode = std::max(time_.decode, next);
        if (time_.decode >= h_.feed.deadline()) {
            h_.feed.bring_to_decode(time_.decode);
        }
    }
}

/// The instruction that was fetched stays in decode. False if the horizon comes first.
bool Stepper::sit_out_hold() {
    while (time_.decode < time_.held_until) {
        if (time_.decode >= time_.horizon) {
            return false;
        }
        time_.decode =
            std::max(time_.decode, std::min({time_.horizon, h_.feed.deadline(), time_.held_until}));
        if (time_.decode >= h_.feed.deadline()) {
            h_.feed.bring_to_decode(time_.decode);
        }
    }
    h_.feed.settle_before(time_.decode);
    h_.pipeline.resume_at(time_.decode);
    return true;
}

// --- Traps and context --------------------------------------------------------------------------

void Stepper::raise(Cause cause, std::uint64_t tval) {
    h_.notes().done = true;
    fetched_ = false;
    const Cycle cycle = h_.pipeline.exception();
    enter_trap(static_cast<std::uint64_t>(cause), tval, cycle);
}

void Stepper::enter_trap(std::uint64_t cause, std::uint64_t tval, Cycle cycle) {
    const Privilege from = h_.arch().privilege;
    const Address epc = h_.arch().pc;
    time_.woken_in = 0;
    const CsrFile::TrapEntry entry = h_.arch().csr.enter_trap(cause, epc, tval, from);
    const TrapTaken trap{.cycle = cycle,
                         .cause = cause,
                         .epc = epc,
                         .tval = tval,
                         .vector = entry.vector,
                         .from = from,
                         .to = entry.privilege};
    h_.history.trapped(trap, time_.retired);
    h_.observers.tell([&](HartObserver& observer) { observer.trapped(trap); });
    h_.arch().pc = entry.vector;
    h_.block_start.here = true;
    change_privilege(entry.privilege, cycle);
}

void Stepper::change_privilege(Privilege privilege, Cycle cycle) {
    if (privilege != h_.arch().privilege) {
        h_.feed.change_privilege(privilege, cycle);
    }
    h_.arch().privilege = privilege;
    context_changed();
}

/// Recomputes what depends on privilege, mstatus, satp and PMP.
void Stepper::context_changed() {
    h_.code.leave_pages();
    h_.execution.data().context_changed();
    h_.attention.ask_now();
}

// --- System instructions ------------------------------------------------------------------------

void Stepper::finish_return(const Instruction& instruction, const CsrFile::TrapReturn& back) {
    h_.notes().done = true;
    h_.arch().next_pc = back.pc;
    retire_at(instruction, h_.pipeline.retire_return(instruction, h_.arch().pc));
    change_privilege(back.privilege, time_.last_retirement);
}

/// With neighbours a sleeping hart must not run ahead: any of them may wake it in any cycle.
void Stepper::wait_for_interrupt() {
    waiting_ = true;
    if (h_.execution.data().reservation().has_neighbours()) {
        time_.horizon = 0;
        h_.attention.ask_now();
    }
}

void Stepper::fence_translations(std::optional<Address> address,
                                 std::optional<std::uint16_t> asid) {
    h_.execution.data().mmu().flush(address, asid);
    h_.code.leave_pages();
}

void Stepper::fence_instructions() {
    emptied_word_ = current_ != nullptr ? current_->raw : 0;
    h_.code.flush();
}

void Stepper::take_effect(CsrEffect effect) {
    if (effect == CsrEffect::Protection) {
        h_.execution.data().host().forget();
    }
    if (effect == CsrEffect::Protection || effect == CsrEffect::Translation) {
        context_changed();
    }
}

// --- Accesses -----------------------------------------------------------------------------------

bool Stepper::translate(Address address, Access access, Address& physical) {
    const Translation translation = h_.execution.data().translate(address, access);
    if (translation.fault) {
        if (translation.walk != nullptr) {
            h_.pipeline.failed_walk(*current_, *translation.walk);
        }
        raise(*translation.fault, address);
        return false;
    }
    physical = translation.physical;
    h_.notes().walk = translation.walk;
    return true;
}

bool Stepper::load(const Instruction& instruction, Address address, Address physical, void* data) {
    const unsigned size = instruction.memory_size;
    DataMemory& memory = h_.execution.data();
    DeviceAccess access{.access = Access::Load, .physical = physical, .size = size};
    const bool allowed = memory.allowed(physical, size, Access::Load);
    if (const std::byte* const plain =
            allowed ? memory.plain(physical, size, Access::Load) : nullptr) {
        copy_register(data, plain, size);
    } else if (allowed && reach_device(instruction, access) == BusStatus::Ok) {
        copy_register(data, &access.data, size);
    } else {
        raise(Cause::LoadAccess, address);
        return false;
    }
    return true;
}

bool Stepper::store(const Instruction& instruction, Address address, Address physical,
                    const void* data) {
    const unsigned size = instruction.memory_size;
    DataMemory& memory = h_.execution.data();
    DeviceAccess access{.access = Access::Store, .physical = physical, .size = size};
    copy_register(&access.data, data, size);
    const bool allowed = memory.allowed(physical, size, Access::Store);
    if (std::byte* const plain = allowed ? memory.plain(physical, size, Access::Store) : nullptr) {
        copy_register(plain, data, size);
    } else if (!allowed || reach_device(instruction, access) != BusStatus::Ok) {
        raise(Cause::StoreAccess, address);
        return false;
    }
    return true;
}

BusStatus Stepper::reach_device(const Instruction& instruction, DeviceAccess& access) {
    h_.notes().cacheable = h_.config.memory.contains(access.physical);
    const Cycle arrival =
        h_.pipeline.memory_request(instruction, h_.access_of(instruction, access.physical));
    const Cycle at = h_.devices.prepare(arrival, access.access);
    const DeviceAccess* const made = recorder_ == nullptr ? nullptr : recorder_->made_access();
    if (made != nullptr) {
        access = *made;
    } else {
        h_.devices.make(access, at);
    }
    h_.notes().device_latency = access.result.latency;
    if (recorder_ != nullptr) {
        recorder_->device_reached(access, arrival);
    }
    return access.result.status;
}

bool Stepper::load_misaligned(const Instruction& instruction, Address address, void* data) {
    return misaligned_.load(instruction, address, data);
}

bool Stepper::store_misaligned(const Instruction& instruction, Address address, const void* data) {
    return misaligned_.store(instruction, address, data);
}

std::optional<std::uint64_t> Stepper::read_csr(std::uint16_t number, Cycle at) {
    const bool time = number == csr::kTime && h_.config.time_csr;
    if (!time && !h_.csrs.is_counter(number)) {
        return h_.csrs.read_register(number);
    }
    if (recorder_ != nullptr) {
        recorder_->counter_read(at);
    }
    if (time) {
        return h_.bus.time(at);
    }
    h_.feed.bring_to(at - 1);
    return h_.csrs.read_counter(number);
}

} // namespace pes
