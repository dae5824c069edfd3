// SPDX-License-Identifier: Apache-2.0
// As CVA6 v5.3.0 does it (hart.misaligned_trap = as-v5.3.0):
//
// The defect: the load/store unit finds a misaligned address in the cycle in which it takes the
// access, but load and store unit look for the exception one cycle later, where a correct core has
// it in a register. In that cycle the signal belongs to the access that the unit takes then. So an
// access traps if the one behind it is misaligned and arrives in the very next cycle; the trap
// reports the address and cause of that one. A misaligned access with nothing directly behind it
// does not trap: of a run of eight stores, seven do. One whose page is not in the TLB stays in the
// unit, which then sees its own exception.
//
// One that does not trap moves bytes of its aligned 64-bit word only: a load shifts them down and
// zeros follow, a store rotates its data within the word.
//
// Not reproduced: the trap that an aligned access takes for the misaligned one behind it.
#include "hw/core/memory/misaligned.h"

#include "hw/core/hart_parts.h"
#include "hw/core/memory/faults.h"

#include <cstring>

namespace pes {

namespace {

constexpr unsigned kWordBytes = 8;

Cause misaligned(Access access) {
    return access == Access::Load ? Cause::LoadMisaligned : Cause::StoreMisaligned;
}

bool uses(const Instruction& instruction, RegisterIndex index) {
    return index != kSinkRegister && (instruction.rs1 == index || instruction.rs2 == index);
}

std::optional<Access> plain_access(const Instruction& instruction) {
    switch (instruction.timing) {
    case TimingClass::Load:
        return Access::Load;
    case TimingClass::Store:
        return Access::Store;
    default:
        return std::nullopt;
    }
}

} // namespace

bool MisalignedAccess::translate(Address address, Access access, Address& physical) {
    return !hart_.execution.data().translated() || stepper_.translate(address, access, physical);
}

// --- As the specification asks ------------------------------------------------------------------

/// Finds every byte of a misaligned access before any is touched, so that a fault in the second
/// page leaves no half-done store behind. Devices do not take misaligned accesses.
bool MisalignedAccess::locate_bytes(Address address, unsigned size, Access access,
                                    std::array<std::byte*, 8>& where) {
    if (!hart_.config.misaligned_access) {
        stepper_.raise(misaligned(access), address);
        return false;
    }
    DataMemory& memory = hart_.execution.data();
    const PageWalk* walk = nullptr; // of the first byte's page: the unit makes one access of it
    for (unsigned index = 0; index < size; ++index) {
        Address physical = address + index;
        if (!translate(address + index, access, physical)) {
            return false;
        }
        const bool allowed = memory.allowed(physical, 1, access);
        where[index] = allowed ? memory.plain(physical, 1, access) : nullptr;
        if (where[index] == nullptr) {
            stepper_.raise(access_fault(access), address + index);
            return false;
        }
        if (index == 0) {
            hart_.notes().facts[0] = physical;
            walk = hart_.notes().walk;
        }
    }
    hart_.notes().walk = walk;
    return true;
}

bool MisalignedAccess::load(const Instruction& instruction, Address address, void* data) {
    if (hart_.config.misaligned_trap == UpstreamDefect::Reproduced) {
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

bool MisalignedAccess::store(const Instruction& instruction, Address address, const void* data) {
    if (hart_.config.misaligned_trap == UpstreamDefect::Reproduced) {
        return store_within_word(instruction, address, data);
    }
    std::array<std::byte*, 8> where{};
    const unsigned size = instruction.memory_size;
    if (!locate_bytes(address, size, Access::Store, where)) {
        return false;
    }
    for (unsigned index = 0; index < size; ++index) {
        *where[index] = static_cast<const std::byte*>(data)[index];
        hart_.execution.data().put_back(where[index], 1);
    }
    return true;
}

// --- As v5.3.0 ----------------------------------------------------------------------------------

/// Raises the exception of the misaligned access directly behind this one, if there is one.
bool MisalignedAccess::trapped_by_next(const Instruction& instruction) {
    const std::optional<Instruction> next = hart_.code.next_in_page();
    const std::optional<Access> access = next ? plain_access(*next) : std::nullopt;
    if (!access || uses(*next, instruction.rd)) {
        return false;
    }
    const Address address = hart_.arch().x[next->rs1] + static_cast<Address>(next->imm);
    if ((address & (next->memory_size - 1u)) == 0 ||
        !hart_.pipeline.follows_at_once(instruction, *next)) {
        return false;
    }
    stepper_.raise(misaligned(*access), address);
    return true;
}

/// Host memory of the aligned word around `address`; null if a trap was raised.
std::byte* MisalignedAccess::word_around(const Instruction& instruction, Address address,
                                         Access access) {
    DataMemory& memory = hart_.execution.data();
    Address physical = address & ~Address{kWordBytes - 1};
    if (memory.translated() && !memory.mmu().data_at(address)) {
        stepper_.raise(misaligned(access), address);
        return nullptr;
    }
    if (!translate(physical, access, physical)) {
        return nullptr;
    }
    const bool allowed = memory.allowed(physical, kWordBytes, access);
    std::byte* const word = allowed ? memory.plain(physical, kWordBytes, access) : nullptr;
    if (word == nullptr) {
        stepper_.raise(access_fault(access), address);
        return nullptr;
    }
    hart_.notes().facts[0] = physical | (address % kWordBytes);
    hart_.pipeline.memory_request(instruction,
                                  hart_.access_of(instruction, hart_.notes().facts[0]));
    return trapped_by_next(instruction) ? nullptr : word;
}

bool MisalignedAccess::load_within_word(const Instruction& instruction, Address address,
                                        void* data) {
    const std::byte* const memory = word_around(instruction, address, Access::Load);
    if (memory == nullptr) {
        return false;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, memory, kWordBytes);
    word >>= 8 * (address % kWordBytes);
    std::memcpy(data, &word, instruction.memory_size);
    return true;
}

bool MisalignedAccess::store_within_word(const Instruction& instruction, Address address,
                                         const void* data) {
    std::byte* const memory = word_around(instruction, address, Access::Store);
    if (memory == nullptr) {
        return false;
    }
    const unsigned offset = address % kWordBytes;
    const unsigned size = instruction.memory_size;
    // The byte enables know no word or half-word that leaves its 64-bit word: nothing is written.
    if (size == kWordBytes || offset + size <= kWordBytes) {
        for (unsigned index = 0; index < size; ++index) {
            memory[(offset + index) % kWordBytes] = static_cast<const std::byte*>(data)[index];
        }
        hart_.execution.data().put_back(memory, kWordBytes);
    }
    return true;
}

} // namespace pes
