// SPDX-License-Identifier: Apache-2.0
// What handlers may do when they run ahead of time. An instruction that could trap, walk page
// tables or be seen by a device has no effect here; the Stepper repeats it.
#include "hw/common/copy_access.h"
#include "hw/core/blocks/block_runner.h"

namespace pes {

bool BlockRunner::leave_to_stepping(LeftFor reason) {
    hart_.notes().done = true;
    stopped_for_ = reason;
    return false;
}

void BlockRunner::raise(Cause, std::uint64_t) {
    leave_to_stepping(LeftFor::Trap);
}

bool BlockRunner::load_misaligned(const Instruction&, Address, void*) {
    return leave_to_stepping(LeftFor::Access);
}

bool BlockRunner::store_misaligned(const Instruction&, Address, const void*) {
    return leave_to_stepping(LeftFor::Access);
}

std::byte* BlockRunner::atomic(Address physical, unsigned size, Access access) {
    DataMemory& memory = hart_.execution.data();
    if (hart_.halts.watching()) {
        return nullptr;
    }
    return memory.host().is_lazy(physical, size) || is_copied(physical, size)
               ? nullptr
               : memory.atomic(physical, size, access);
}

/// Over the bus in its cycle.
bool BlockRunner::is_copied(Address physical, unsigned size) {
    return hart_.config.memory.contains(physical) &&
           !hart_.execution.data().host().is_direct(physical, size);
}

/// Not in a lazy range, where the value depends on the cycle.
std::byte* BlockRunner::plain(Address physical, unsigned size, Access access) {
    DataMemory& memory = hart_.execution.data();
    const bool lazy =
        hart_.config.memory.contains(physical) && memory.host().is_lazy(physical, size);
    return lazy ? nullptr : memory.plain(physical, size, access);
}

// Once the runner has made the access in its cycle, the handler runs a second time and finds it
// here.

bool BlockRunner::load(const Instruction& instruction, Address address, Address physical,
                       void* data) {
    const unsigned size = instruction.memory_size;
    if (hart_.halts.near(address)) {
        return leave_to_stepping(LeftFor::Debugger);
    }
    if (ending_.access.made) {
        copy_register(data, &ending_.access.data, size);
        return true;
    }
    if (!hart_.execution.data().surely_allowed(physical, size, Access::Load)) {
        return leave_to_stepping(LeftFor::Access);
    }
    if (is_copied(physical, size)) {
        return leave_to_stepping(LeftFor::Access);
    }
    if (const std::byte* const memory = plain(physical, size, Access::Load)) {
        copy_register(data, memory, size);
        return true;
    }
    return stop_before_device({.access = Access::Load, .physical = physical, .size = size});
}

bool BlockRunner::store(const Instruction& instruction, Address address, Address physical,
                        const void* data) {
    const unsigned size = instruction.memory_size;
    if (hart_.halts.near(address)) {
        return leave_to_stepping(LeftFor::Debugger);
    }
    if (ending_.access.made) {
        return true;
    }
    if (!hart_.execution.data().surely_allowed(physical, size, Access::Store)) {
        return leave_to_stepping(LeftFor::Access);
    }
    if (is_copied(physical, size)) {
        return leave_to_stepping(LeftFor::Access);
    }
    if (std::byte* const memory = plain(physical, size, Access::Store)) {
        copy_register(memory, data, size);
        return true;
    }
    DeviceAccess access{.access = Access::Store, .physical = physical, .size = size};
    copy_register(&access.data, data, size);
    return stop_before_device(access);
}

} // namespace pes
