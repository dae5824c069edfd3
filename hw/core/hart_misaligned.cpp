// SPDX-License-Identifier: Apache-2.0
// Misaligned loads and stores as CVA6 v5.3.0 performs them (hart.misaligned_trap = as-v5.3.0).
//
// The defect: the load/store unit finds a misaligned address in the cycle in which it takes the
// access, but load and store unit look for the exception one cycle later, where a correct core has
// it in a register. In that cycle the signal belongs to whatever the unit takes then. So an access
// traps if the one behind it is misaligned and arrives in the very next cycle; the trap reports the
// address and cause of that one. A misaligned access with nothing directly behind it does not trap:
// of a run of eight stores, seven do.
//
// One that does not trap moves bytes of its aligned 64-bit word only: a load shifts them down and
// zeros follow, a store rotates its data within the word.
//
// Not reproduced: the trap that an aligned access takes for the misaligned one behind it.
#include "hw/core/decode.h"
#include "hw/core/hart_memory.h"

namespace pes {

namespace {

constexpr unsigned kWordBytes = 8;

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

/// The instruction behind the one in hand, if it is in the same page.
std::optional<Instruction> Hart::next_in_page() {
    const Address offset = next_pc_ & kPageOffset;
    if ((next_pc_ & ~kPageOffset) != fetch_page_.virtual_page ||
        offset + sizeof(std::uint32_t) > kPageOffset + 1) {
        return std::nullopt;
    }
    const std::byte* const bytes =
        memory_.find(fetch_page_.physical_page + offset, sizeof(std::uint32_t), decode_);
    if (bytes == nullptr) {
        return std::nullopt;
    }
    std::uint32_t raw = 0;
    std::memcpy(&raw, bytes, sizeof(raw));
    return decode(length_of(static_cast<std::uint16_t>(raw)) == 2 ? raw & 0xFFFF : raw);
}

/// Raises the exception of the misaligned access directly behind this one, if there is one.
bool Hart::trapped_by_next(const Instruction& instruction) {
    const std::optional<Instruction> next = next_in_page();
    const std::optional<Access> access = next ? plain_access(*next) : std::nullopt;
    if (!access || uses(*next, instruction.rd)) {
        return false;
    }
    const Address address = x_[next->rs1] + static_cast<Address>(next->imm);
    if ((address & (next->memory_size - 1u)) == 0 ||
        !pipeline_.follows_at_once(instruction, *next)) {
        return false;
    }
    raise(*access == Access::Load ? Cause::LoadMisaligned : Cause::StoreMisaligned, address);
    return true;
}

/// Host memory of the aligned word around `address`; null if a trap was raised.
std::byte* Hart::misaligned_word(const Instruction& instruction, Address address, Access access) {
    if (mode_ == Mode::Blocks) {
        leave_to_stepping();
        return nullptr;
    }
    Address physical = address & ~Address{kWordBytes - 1};
    if (data_translated_ && !translate_data(physical, access, physical)) {
        return nullptr;
    }
    const bool allowed = csr_.pmp().allows(physical, kWordBytes, access, data_privilege_);
    std::byte* const word = allowed ? host_memory(physical, kWordBytes, access) : nullptr;
    if (word == nullptr) {
        raise(access == Access::Load ? Cause::LoadAccess : Cause::StoreAccess, address);
        return nullptr;
    }
    facts_[0] = physical;
    pipeline_.memory_request(instruction, access_at(instruction, physical));
    return trapped_by_next(instruction) ? nullptr : word;
}

bool Hart::load_within_word(const Instruction& instruction, Address address, void* data) {
    const std::byte* const memory = misaligned_word(instruction, address, Access::Load);
    if (memory == nullptr) {
        return false;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, memory, kWordBytes);
    word >>= 8 * (address % kWordBytes);
    std::memcpy(data, &word, instruction.memory_size);
    return true;
}

bool Hart::store_within_word(const Instruction& instruction, Address address, const void* data) {
    std::byte* const memory = misaligned_word(instruction, address, Access::Store);
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
    }
    return true;
}

} // namespace pes
