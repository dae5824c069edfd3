// SPDX-License-Identifier: Apache-2.0
// Data accesses that are not the quick case: first touch of a page, devices, watched words,
// misaligned addresses, atomics, and page-table reads.
#include "hw/core/hart_memory.h"

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

bool Hart::translate_data(Address address, Access access, MemoryAccess& to) {
    const Translation translation = mmu_.translate(address, access, data_privilege_);
    if (translation.fault) {
        raise(*translation.fault, address);
        return false;
    }
    to.physical = translation.physical;
    to.walk = translation.walk;
    return true;
}

const DirectMemory* Hart::find_region(Address physical, unsigned size) {
    const auto inside = [&](const DirectMemory& region) {
        return physical >= region.start && physical < region.end && region.end - physical >= size;
    };
    for (const DirectMemory& region : regions_) {
        if (inside(region)) [[likely]] {
            return &region;
        }
    }
    DirectMemory region;
    if (!bus_.direct_memory(physical, region) || !inside(region)) {
        return nullptr;
    }
    return &regions_.emplace_back(region);
}

std::byte* Hart::find_direct(Address physical, unsigned size) {
    const DirectMemory* const region = find_region(physical, size);
    return region == nullptr ? nullptr : region->data + (physical - region->start);
}

/// Host memory behind a data access that protection allows, or null if there is none. A page that
/// lies in one region and has one answer from PMP is remembered for the quick way.
std::byte* Hart::host_memory(Address physical, unsigned size, Access access) {
    if (!config_.memory.contains(physical)) {
        return nullptr;
    }
    const DirectMemory* const region = find_region(physical, size);
    if (region == nullptr) {
        return nullptr;
    }
    const Address page_start = physical & ~kPageOffset;
    const bool whole_page = page_start >= region->start && region->end - page_start > kPageOffset;
    if (whole_page && csr_.pmp().uniform_in_page(physical)) {
        std::byte* const base = region->data + (page_start - region->start);
        const Address number = physical >> kPageShift;
        HostPage& page = (*pages_)[number % kHostPages];
        if (page.base != base) {
            page = {.load_tag = kNever, .store_tag = kNever, .base = base};
        }
        (access == Access::Load ? page.load_tag : page.store_tag) = number;
    }
    return region->data + (physical - region->start);
}

bool Hart::load_slowly(const Instruction& instruction, Address address, MemoryAccess& access,
                       void* data, std::uint32_t& latency) {
    if (!csr_.pmp().allows(access.physical, access.size, Access::Load, data_privilege_)) {
        raise(Cause::LoadAccess, address);
        return false;
    }
    if (const std::byte* memory = host_memory(access.physical, access.size, Access::Load)) {
        std::memcpy(data, memory, access.size);
        return true;
    }
    access.cacheable = config_.memory.contains(access.physical);
    const Cycle at = sync_for_device(pipeline_.memory_request(instruction, access), Access::Load);
    const BusResult result = bus_.load(access.physical, data, access.size, at);
    if (result.status != BusStatus::Ok) {
        raise(Cause::LoadAccess, address);
        return false;
    }
    latency = result.latency;
    return true;
}

bool Hart::store_slowly(const Instruction& instruction, Address address, MemoryAccess& access,
                        const void* data, std::uint32_t& latency) {
    if (!csr_.pmp().allows(access.physical, access.size, Access::Store, data_privilege_)) {
        raise(Cause::StoreAccess, address);
        return false;
    }
    if (std::byte* memory = host_memory(access.physical, access.size, Access::Store)) {
        std::memcpy(memory, data, access.size);
        return true;
    }
    access.cacheable = config_.memory.contains(access.physical);
    const Cycle at = sync_for_device(pipeline_.memory_request(instruction, access), Access::Store);
    const BusResult result = bus_.store(access.physical, data, access.size, at);
    if (result.status != BusStatus::Ok) {
        raise(Cause::StoreAccess, address);
        return false;
    }
    latency = result.latency;
    return true;
}

/// Finds every byte of a misaligned access before any is touched, so that a fault in the second
/// page leaves no half-done store behind. Devices do not take misaligned accesses.
bool Hart::locate_bytes(Address address, unsigned size, Access access, MemoryAccess& first,
                        std::array<std::byte*, 8>& where) {
    if (!config_.misaligned_access) {
        raise(misaligned(access), address);
        return false;
    }
    for (unsigned index = 0; index < size; ++index) {
        MemoryAccess byte{.physical = address + index, .size = 1};
        if (data_translated_ && !translate_data(address + index, access, byte)) {
            return false;
        }
        const bool allowed = csr_.pmp().allows(byte.physical, 1, access, data_privilege_);
        where[index] = allowed ? host_memory(byte.physical, 1, access) : nullptr;
        if (where[index] == nullptr) {
            raise(access_fault(access), address + index);
            return false;
        }
        if (index == 0) {
            first = byte;
            first.size = static_cast<std::uint8_t>(size);
        }
    }
    return true;
}

bool Hart::load_misaligned(const Instruction& instruction, Address address, void* data) {
    if (config_.misaligned_trap == UpstreamDefect::Reproduced) {
        return load_within_word(instruction, address, data);
    }
    std::array<std::byte*, 8> where{};
    MemoryAccess access;
    const unsigned size = instruction.memory_size;
    if (!locate_bytes(address, size, Access::Load, access, where)) {
        return false;
    }
    for (unsigned index = 0; index < size; ++index) {
        static_cast<std::byte*>(data)[index] = *where[index];
    }
    retire_at(instruction, pipeline_.retire_memory(instruction, access, 0));
    return true;
}

bool Hart::store_misaligned(const Instruction& instruction, Address address, const void* data) {
    if (config_.misaligned_trap == UpstreamDefect::Reproduced) {
        return store_within_word(instruction, address, data);
    }
    std::array<std::byte*, 8> where{};
    MemoryAccess access;
    const unsigned size = instruction.memory_size;
    if (!locate_bytes(address, size, Access::Store, access, where)) {
        return false;
    }
    for (unsigned index = 0; index < size; ++index) {
        *where[index] = static_cast<const std::byte*>(data)[index];
    }
    retire_at(instruction, pipeline_.retire_memory(instruction, access, 0));
    return true;
}

std::byte* Hart::atomic_word(Address address, unsigned size, Access access) {
    if ((address & (size - 1)) != 0) {
        raise(misaligned(access), address);
        return nullptr;
    }
    atomic_ = {.physical = address, .size = static_cast<std::uint8_t>(size)};
    if (data_translated_ && !translate_data(address, access, atomic_)) {
        return nullptr;
    }
    const Pmp& pmp = csr_.pmp();
    const bool allowed = pmp.allows(atomic_.physical, size, access, data_privilege_);
    std::byte* const memory = allowed && config_.memory.contains(atomic_.physical)
                                  ? find_direct(atomic_.physical, size)
                                  : nullptr;
    if (memory == nullptr) {
        raise(access_fault(access), address); // devices have no atomics
    }
    return memory;
}

void Hart::finish_atomic(const Instruction& instruction) {
    retire_at(instruction, pipeline_.retire_memory(instruction, atomic_, 0));
}

bool Hart::take_reservation() {
    const bool held = reservation_ == atomic_.physical;
    reservation_ = kNever;
    return held;
}

std::optional<std::uint64_t> Hart::read_pte(Address address) {
    const std::byte* const memory = find_direct(address, sizeof(std::uint64_t));
    if (memory == nullptr) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, memory, sizeof(value));
    return value;
}

} // namespace pes
