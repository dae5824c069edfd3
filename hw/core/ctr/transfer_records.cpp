// SPDX-License-Identifier: Apache-2.0
#include "hw/core/ctr/transfer_records.h"

#include "hw/core/arch/causes.h"
#include "hw/core/ctr/cycle_count.h"

#include <bit>

namespace pes {

namespace {

using namespace ctr;

constexpr std::uint64_t kWritable = control::kUser | control::kSupervisor | control::kMachine |
                                    control::kRasEmulation | control::kSupervisorTraps |
                                    control::kMachineTraps | control::kBreakpointFreeze |
                                    control::kTypes;
/// Read-only 0 in sctrctl, and left as they are by a write of it.
constexpr std::uint64_t kMachineOnly = control::kMachine | control::kMachineTraps;
constexpr std::uint64_t kOverflowCause = kInterruptBit | 13;

/// TYPE is WARL: a reserved type is written as 0.
constexpr std::uint64_t legal_data(std::uint64_t value) {
    const std::uint64_t type = value & data::kType;
    const std::uint64_t count = value & (data::kCountValid | data::kCountMask << data::kCountShift);
    return count | (type == 6 || type == 7 ? 0 : type);
}

} // namespace

TransferRecords::TransferRecords(unsigned depth, bool has_overflow_interrupt)
    : writable_(kWritable | (has_overflow_interrupt ? control::kOverflowFreeze : 0)),
      buffer_(depth) {}

// --- What is recorded ---------------------------------------------------------------------------

bool TransferRecords::enabled(Privilege mode) const {
    switch (mode) {
    case Privilege::User:
        return control(control::kUser);
    case Privilege::Supervisor:
        return control(control::kSupervisor);
    case Privilege::Machine:
        break;
    }
    return control(control::kMachine);
}

/// "Transfer Type Filtering".
bool TransferRecords::inhibited(TransferType type) const {
    const unsigned bit = control::kTypeShift + static_cast<unsigned>(type);
    return ((control_ ^ control::kNotTakenEnable) >> bit & 1) != 0;
}

/// "External Traps": the bit of the target mode, and those of the modes between it and the source.
bool TransferRecords::records_external(Privilege from, Privilege to) const {
    const bool through_supervisor = from == Privilege::User;
    return (!through_supervisor || control(control::kSupervisorTraps)) &&
           (to != Privilege::Machine || control(control::kMachineTraps));
}

/// "Freeze".
bool TransferRecords::freezes(std::uint64_t cause) const {
    return (cause == kOverflowCause && control(control::kOverflowFreeze)) ||
           (cause == static_cast<std::uint64_t>(Cause::Breakpoint) &&
            control(control::kBreakpointFreeze));
}

TransferEntry TransferRecords::made(TransferType type, Address source, Address target,
                                    Cycle cycle) {
    std::uint64_t metadata = static_cast<std::uint64_t>(type);
    const bool valid = cycles_.valid();
    if (const std::uint64_t count = cycles_.take(cycle); valid) {
        metadata |= data::kCountValid | std::uint64_t{encode_cycles(count)} << data::kCountShift;
    }
    return {.source = source | kValid, .target = target, .data = metadata};
}

void TransferRecords::record_jump(const JumpRetired& jump) {
    const TransferType type = transfer_type(classify_flow(jump.raw), jump.taken);
    if (control(control::kRasEmulation)) {
        emulate_stack(type, jump);
        return;
    }
    if (!inhibited(type)) {
        TransferEntry entry = made(type, jump.pc, jump.next_pc, jump.cycle);
        entry.target |= jump.mispredicted ? kMispredicted : 0;
        buffer_.push(entry);
    }
}

/// "RAS (Return Address Stack) Emulation Mode". A coroutine swap overwrites entry 0: it pops, and
/// pushes itself.
void TransferRecords::emulate_stack(TransferType type, const JumpRetired& jump) {
    const bool calls = type == TransferType::IndirectCall || type == TransferType::DirectCall;
    const bool swaps = type == TransferType::CoroutineSwap;
    if (type == TransferType::FunctionReturn || swaps) {
        pop();
    }
    if (calls || swaps) {
        TransferEntry entry = made(type, jump.pc, jump.next_pc, jump.cycle);
        entry.target |= jump.mispredicted ? kMispredicted : 0;
        buffer_.push(entry);
    }
}

/// The cycles of the record that goes belong to the next one, whose count is of the time since the
/// record below it.
void TransferRecords::pop() {
    TransferEntry& popped = buffer_.pop();
    const bool valid = (popped.source & kValid) != 0 && (popped.data & data::kCountValid) != 0;
    const auto count = static_cast<std::uint16_t>(popped.data >> data::kCountShift);
    cycles_.add(valid ? decode_cycles(count) : 0, valid);
    popped.source &= ~kValid;
}

/// A trap that freezes is not recorded.
void TransferRecords::trapped(const TrapTaken& trap) {
    if (freezes(trap.cause)) {
        frozen_ = true;
    }
    if (!frozen_ && !control(control::kRasEmulation)) {
        record_trap(trap);
    }
    enter(trap.to, trap.cycle);
}

/// "Privilege Mode Transitions". Of an external trap the type filters do not matter.
void TransferRecords::record_trap(const TrapTaken& trap) {
    const TransferType type =
        (trap.cause & kInterruptBit) != 0 ? TransferType::Interrupt : TransferType::Exception;
    const bool seen_before = enabled(trap.from);
    if (!enabled(trap.to)) {
        if (seen_before && records_external(trap.from, trap.to)) {
            buffer_.push(made(type, trap.epc, kHidden, trap.cycle));
        }
    } else if (!inhibited(type)) {
        buffer_.push(made(type, seen_before ? trap.epc : kHidden, trap.vector, trap.cycle));
    }
}

void TransferRecords::returned(Address pc, Address target, Privilege to, Cycle cycle) {
    constexpr TransferType kType = TransferType::TrapReturn;
    if (active() && !control(control::kRasEmulation) && !inhibited(kType)) {
        buffer_.push(made(kType, pc, enabled(to) ? target : kHidden, cycle));
    }
    enter(to, cycle);
}

void TransferRecords::clear(Cycle cycle) {
    buffer_.clear();
    cycles_.reset(cycle);
}

void TransferRecords::enter(Privilege mode, Cycle cycle) {
    mode_ = mode;
    update_active(cycle);
}

void TransferRecords::update_active(Cycle cycle) {
    cycles_.set_active(enabled(mode_) && !frozen_, cycle);
}

// --- CSRs ---------------------------------------------------------------------------------------

std::uint64_t TransferRecords::read(std::uint16_t number) const {
    switch (number) {
    case kMctrctl:
        return control_;
    case kSctrctl:
        return control_ & ~kMachineOnly;
    case kSctrstatus:
        return buffer_.write_pointer() | (frozen_ ? status::kFrozen : 0);
    default: // sctrdepth
        return static_cast<std::uint64_t>(std::countr_zero(buffer_.depth() / depth::kSmallest));
    }
}

void TransferRecords::write(const CsrWrite& write) {
    switch (write.number) {
    case kMctrctl:
        write_control(write.value, write.at);
        break;
    case kSctrctl:
        write_control((write.value & ~kMachineOnly) | (control_ & kMachineOnly), write.at);
        break;
    case kSctrstatus:
        buffer_.set_write_pointer(write.value & status::kWritePointer);
        frozen_ = (write.value & status::kFrozen) != 0;
        update_active(write.at);
        break;
    default:
        write_depth(write.value);
        break;
    }
}

void TransferRecords::write_control(std::uint64_t value, Cycle cycle) {
    control_ = value & writable_;
    cycles_.reset(cycle);
    update_active(cycle);
}

/// A depth that is reserved or too large leaves the old one.
void TransferRecords::write_depth(std::uint64_t value) {
    const unsigned entries = depth::kSmallest << (value & depth::kField);
    if (entries <= buffer_.largest()) {
        buffer_.set_depth(entries);
    }
}

std::uint64_t TransferRecords::read(const IndirectRegister& which) const {
    const std::uint64_t logical = which.select - kFirstSelect;
    if (!buffer_.holds(logical)) {
        return 0;
    }
    const TransferEntry& entry = buffer_.entry(logical);
    switch (which.alias) {
    case 1:
        return entry.source;
    case 2:
        return entry.target;
    case 3:
        return entry.data;
    default: // sireg4..6 are read-only 0
        return 0;
    }
}

void TransferRecords::write(const IndirectRegister& which, const CsrWrite& write) {
    const std::uint64_t logical = which.select - kFirstSelect;
    if (!buffer_.holds(logical)) {
        return;
    }
    TransferEntry& entry = buffer_.entry(logical);
    switch (which.alias) {
    case 1:
        entry.source = write.value;
        break;
    case 2:
        entry.target = write.value;
        break;
    case 3:
        entry.data = legal_data(write.value);
        break;
    default:
        break;
    }
}

} // namespace pes
