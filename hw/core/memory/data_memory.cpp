// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/data_memory.h"

#include <cstring>

namespace pes {

DataMemory::DataMemory(const HartConfig& config, HartBus& bus, const ArchState& arch,
                       const HartTime& time)
    : config_(config), arch_(arch), time_(time), host_(bus), mmu_(config, arch.csr, *this) {
    quick_pages_ = host_.selected();
}

void DataMemory::context_changed() {
    const CsrFile& csr = arch_.csr;
    const bool modified = arch_.privilege == Privilege::Machine && csr.status(mstatus::kMprv);
    privilege_ = modified
                     ? static_cast<Privilege>((csr.status() & mstatus::kMpp) >> mstatus::kMppShift)
                     : arch_.privilege;
    translated_ = privilege_ != Privilege::Machine && csr.translation_on();
    host_.select(privilege_);
    mmu_.pages().select(privilege_);
    quick_pages_ = translated_ ? static_cast<const void*>(mmu_.pages().selected())
                               : static_cast<const void*>(host_.selected());
    if (csr.asid() != asid_) {
        asid_ = csr.asid();
        mmu_.pages().forget();
    }
}

void DataMemory::protection_changed() {
    host_.forget();
    mmu_.pages().forget();
}

void DataMemory::direct_memory_withdrawn() {
    host_.forget_regions();
    mmu_.pages().forget();
}

void DataMemory::ask_about_accesses(bool all) {
    if (all && !asks_always_) {
        host_.forget();
        mmu_.pages().forget();
    }
    asks_always_ = all;
}

void DataMemory::forget_stores(Address page_number) {
    host_.forget_stores(page_number);
    mmu_.pages().forget_stores(page_number);
}

std::optional<Address> DataMemory::translate_known(Address address, Access access) {
    const TlbEntry* const entry = mmu_.known(address, access, privilege_);
    if (entry == nullptr) {
        return std::nullopt;
    }
    const Address physical = entry->physical(address);
    remember_translated(address, physical);
    return physical;
}

Translation DataMemory::translate(Address address, Access access, const Mmu::Walked* walked) {
    const Translation translation = mmu_.translate(address, access, privilege_, walked);
    if (!translation.fault && translation.walk != nullptr) { // the TLB has it now
        remember_translated(address, translation.physical);
    }
    return translation;
}

/// The data TLB has just found it, or been filled with it.
void DataMemory::remember_translated(Address address, Address physical) {
    mmu_.remember(address, privilege_, physical, host_.page(physical));
}

std::byte* DataMemory::plain(Address physical, unsigned size, Access access) {
    std::byte* const memory =
        config_.memory.contains(physical) ? host_.find(physical, size, time_.decode) : nullptr;
    if (memory == nullptr) {
        return nullptr;
    }
    if (access == Access::Store && reservation_.held_by_neighbour(physical >> kPageShift))
        [[unlikely]] {
        reservation_.stored(physical, size); // and so must the next store here be
    } else {
        remember_host(physical, size, access);
    }
    return memory;
}

/// As what a load or store is checked may depend on what follows it.
bool DataMemory::open_to_both(Address physical, unsigned size) const {
    return config_.pmp_check == UpstreamDefect::Corrected ||
           (allowed(physical, size, Access::Load) && allowed(physical, size, Access::Store));
}

/// Protection allows this access.
void DataMemory::remember_host(Address physical, unsigned size, Access access) {
    if (!asks_always_ && open_to_both(physical, size) && host_.is_direct(physical, size) &&
        arch_.csr.pmp().uniform_in_page(physical)) {
        host_.remember(physical, access, time_.decode);
    }
}

std::byte* DataMemory::atomic(Address physical, unsigned size, Access access) {
    const Access checked = open_to_both(physical, size) ? access : Access::Load;
    return allowed(physical, size, checked) && config_.memory.contains(physical)
               ? host_.find(physical, size, time_.decode)
               : nullptr;
}

std::optional<std::uint64_t> DataMemory::read_pte(Address address) {
    const std::byte* const memory = host_.find(address, sizeof(std::uint64_t), time_.decode);
    if (memory == nullptr) {
        return std::nullopt;
    }
    if (privilege_ != Privilege::Machine && config_.memory.contains(address)) {
        remember_host(address, sizeof(std::uint64_t), Access::Load);
    }
    std::uint64_t value = 0;
    std::memcpy(&value, memory, sizeof(value));
    return value;
}

/// The pages that S and U may load from.
std::optional<std::uint64_t> DataMemory::read_known_pte(Address address) {
    const std::byte* const memory =
        privilege_ == Privilege::Machine ? nullptr : known(address, Access::Load);
    if (memory == nullptr) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, memory, sizeof(value));
    return value;
}

/// As a store of the hart to main memory; the reservation of another hart there is lost.
bool DataMemory::write_pte(Address address, std::uint64_t value) {
    std::byte* const memory = config_.memory.contains(address)
                                  ? host_.find(address, sizeof(value), time_.decode)
                                  : nullptr;
    if (memory == nullptr) {
        return false;
    }
    std::memcpy(memory, &value, sizeof(value));
    put_back(memory, sizeof(value));
    reservation_.stored(address, sizeof(value));
    return true;
}

} // namespace pes
