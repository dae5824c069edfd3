// SPDX-License-Identifier: Apache-2.0
// Data accesses that are not the quick case: first touch of a page, devices, watched words,
// misaligned addresses, atomics, and page-table reads.
#include "hw/core/hart_memory.h"

#include "hw/common/copy_access.h"

#include <algorithm>

namespace pes {

namespace {

Cause access_fault(Access access) {
    return access == Access::Load ? Cause::LoadAccess : Cause::StoreAccess;
}
Cause misaligned(Access access) {
    return access == Access::Load ? Cause::LoadMisaligned : Cause::StoreMisaligned;
}

} // namespace

bool Hart::translate_data(Address address, Access access, Address& physical) {
    if (mode_ == Mode::Blocks && !mmu_.needs_no_walk(address, access)) {
        return leave_to_stepping();
    }
    const Translation translation = mmu_.translate(address, access, data_privilege_);
    if (translation.fault) {
        if (translation.walk != nullptr) {
            pipeline_.failed_walk(*current_, *translation.walk);
        }
        raise(*translation.fault, address);
        return false;
    }
    physical = translation.physical;
    walk_ = translation.walk;
    return true;
}

/// Host memory behind a data access that protection allows, or null if there is none. A page that
/// lies in one piece, a watched word apart, and has one answer from PMP is remembered for the quick
/// way.
std::byte* Hart::host_memory(Address physical, unsigned size, Access access) {
    if (!config_.memory.contains(physical)) {
        return nullptr;
    }
    if (mode_ == Mode::Blocks && memory_.written_late(physical, size)) {
        return nullptr;
    }
    std::byte* const memory = memory_.find(physical, size, decode_);
    if (memory == nullptr) {
        return nullptr;
    }
    if (access == Access::Store && reserved_by_neighbour(physical >> kPageShift)) [[unlikely]] {
        store_seen(physical, size); // and so must the next store here be
    } else if (csr_.pmp().uniform_in_page(physical)) {
        memory_.remember(physical, access, decode_);
    }
    return memory;
}

/// For handlers that run ahead of time: the instruction has not happened, stepping repeats it.
bool Hart::leave_to_stepping() {
    done_ = true;
    return false;
}

/// For handlers that run ahead of time: the block ends before the access, of which the fast path
/// knows from here. Once it has made it, it has the handler run again.
bool Hart::block_reaches_device(const DeviceAccess& access) {
    fast_.access = access;
    if (!config_.memory.contains(access.physical) && neighbours_.empty()) {
        fast_.stop = FastPath::Stop::BeforeDevice;
    }
    return leave_to_stepping();
}

// What the fast path has reached in its cycle is there for the handler's second run. That is short:
// it does without the frame of the rest, if neither becomes a part of the other.

[[gnu::noinline]] bool Hart::load_slowly(const Instruction& instruction, Address address,
                                         Address physical, void* data) {
    if (mode_ == Mode::Blocks && fast_.access.made) {
        copy_register(data, &fast_.access.data, instruction.memory_size);
        return true;
    }
    return load_otherwise(instruction, address, physical, data);
}

[[gnu::noinline]] bool Hart::store_slowly(const Instruction& instruction, Address address,
                                          Address physical, const void* data) {
    const bool made = mode_ == Mode::Blocks && fast_.access.made;
    return made || store_otherwise(instruction, address, physical, data);
}

[[gnu::noinline]] bool Hart::load_otherwise(const Instruction& instruction, Address address,
                                            Address physical, void* data) {
    const unsigned size = instruction.memory_size;
    if (!csr_.pmp().allows(physical, size, Access::Load, data_privilege_)) {
        raise(Cause::LoadAccess, address);
        return false;
    }
    if (const std::byte* memory = host_memory(physical, size, Access::Load)) {
        copy_register(data, memory, size);
        return true;
    }
    DeviceAccess access{.access = Access::Load, .physical = physical, .size = size};
    if (mode_ == Mode::Blocks) {
        return block_reaches_device(access);
    }
    if (reach_device(instruction, access) != BusStatus::Ok) {
        raise(Cause::LoadAccess, address);
        return false;
    }
    copy_register(data, &access.data, size);
    return true;
}

[[gnu::noinline]] bool Hart::store_otherwise(const Instruction& instruction, Address address,
                                             Address physical, const void* data) {
    const unsigned size = instruction.memory_size;
    if (!csr_.pmp().allows(physical, size, Access::Store, data_privilege_)) {
        raise(Cause::StoreAccess, address);
        return false;
    }
    if (std::byte* memory = host_memory(physical, size, Access::Store)) {
        copy_register(memory, data, size);
        return true;
    }
    DeviceAccess access{.access = Access::Store, .physical = physical, .size = size};
    copy_register(&access.data, data, size);
    if (mode_ == Mode::Blocks) {
        return block_reaches_device(access);
    }
    if (reach_device(instruction, access) != BusStatus::Ok) {
        raise(Cause::StoreAccess, address);
        return false;
    }
    return true;
}

/// An access to a device by the instruction that is being stepped. If the fast path has made it
/// already, what came of it.
BusStatus Hart::reach_device(const Instruction& instruction, DeviceAccess& access) {
    cacheable_ = config_.memory.contains(access.physical);
    const Cycle arrival =
        pipeline_.memory_request(instruction, access_at(instruction, access.physical));
    const Cycle at = sync_for_device(arrival, access.access);
    if (fast_.access.made) {
        access = fast_.access;
    } else {
        make_access(access, at);
    }
    device_latency_ = access.result.latency;
    fast_.ordinary = fast_.ordinary && access.at == arrival;
    pipeline_.tables().device_access(access.at - fast_.begin, device_latency_);
    return access.result.status;
}

void Hart::make_access(DeviceAccess& access, Cycle at) {
    memory_.catch_up(at);
    access.at = at;
    access.made = true;
    if (at < woken_in_ && access.physical == config_.mtime && access.access == Access::Load) {
        access.data = bus_.time(at); // it went out before WFI ended, and that is past
        return;
    }
    access.result = access.access == Access::Load
                        ? bus_.load(access.physical, &access.data, access.size, at)
                        : bus_.store(access.physical, &access.data, access.size, at);
    if (config_.bus_errors == UpstreamDefect::Reproduced) {
        access.result.status = BusStatus::Ok; // nobody looks at it
    }
}

/// Finds every byte of a misaligned access before any is touched, so that a fault in the second
/// page leaves no half-done store behind. Devices do not take misaligned accesses.
bool Hart::locate_bytes(Address address, unsigned size, Access access,
                        std::array<std::byte*, 8>& where) {
    if (mode_ == Mode::Blocks) {
        return leave_to_stepping();
    }
    if (!config_.misaligned_access) {
        raise(misaligned(access), address);
        return false;
    }
    const PageWalk* walk = nullptr; // of the first byte's page: the unit makes one access of it
    for (unsigned index = 0; index < size; ++index) {
        Address physical = address + index;
        if (data_translated_ && !translate_data(address + index, access, physical)) {
            return false;
        }
        const bool allowed = csr_.pmp().allows(physical, 1, access, data_privilege_);
        where[index] = allowed ? host_memory(physical, 1, access) : nullptr;
        if (where[index] == nullptr) {
            raise(access_fault(access), address + index);
            return false;
        }
        if (index == 0) {
            facts_[0] = physical;
            walk = walk_;
        }
    }
    walk_ = walk;
    return true;
}

bool Hart::load_misaligned(const Instruction& instruction, Address address, void* data) {
    if (config_.misaligned_trap == UpstreamDefect::Reproduced) {
        return load_within_word(instruction, address, data);
    }
    std::array<std::byte*, 8> where{};
    const unsigned size = instruction.memory_size;
    if (!locate_bytes(address, size, Access::Load, where)) {
        return false;
    }
    for (unsigned index = 0; index < size; ++index) {
        static_cast<std::byte*>(data)[index] = *where[index];
    }
    return true;
}

bool Hart::store_misaligned(const Instruction& instruction, Address address, const void* data) {
    if (config_.misaligned_trap == UpstreamDefect::Reproduced) {
        return store_within_word(instruction, address, data);
    }
    std::array<std::byte*, 8> where{};
    const unsigned size = instruction.memory_size;
    if (!locate_bytes(address, size, Access::Store, where)) {
        return false;
    }
    for (unsigned index = 0; index < size; ++index) {
        *where[index] = static_cast<const std::byte*>(data)[index];
    }
    return true;
}

std::byte* Hart::atomic_word(Address address, unsigned size, Access access) {
    if ((address & (size - 1)) != 0) {
        raise(misaligned(access), address);
        return nullptr;
    }
    Address physical = address;
    if (data_translated_ && !translate_data(address, access, physical)) {
        return nullptr;
    }
    const Pmp& pmp = csr_.pmp();
    const bool allowed = pmp.allows(physical, size, access, data_privilege_);
    std::byte* const memory = allowed && config_.memory.contains(physical)
                                  ? memory_.find(physical, size, decode_)
                                  : nullptr;
    if (memory == nullptr) {
        raise(access_fault(access), address); // devices have no atomics
    }
    facts_[0] = physical;
    return memory;
}

bool Hart::take_reservation() {
    const bool held = reservation_ == facts_[0];
    reservation_ = kNever;
    return held;
}

std::optional<std::uint64_t> Hart::read_pte(Address address) {
    const std::byte* const memory = memory_.find(address, sizeof(std::uint64_t), decode_);
    if (memory == nullptr) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, memory, sizeof(value));
    return value;
}

} // namespace pes
