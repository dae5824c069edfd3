// SPDX-License-Identifier: Apache-2.0
// Memory accesses of loads, stores and atomics of a hart: translation, protection, host memory and
// the reservation. Device accesses are in device_port.h.
#pragma once

#include "hw/core/arch/arch_state.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_ports.h"
#include "hw/core/hart_time.h"
#include "hw/core/memory/host_memory.h"
#include "hw/core/memory/mmu.h"
#include "hw/core/memory/reservation.h"

#include <cstddef>
#include <optional>

namespace pes {

class DataMemory final : private PageTableMemory {
  public:
    DataMemory(const HartConfig& config, HartBus& bus, const ArchState& arch, const HartTime& time);

    Mmu& mmu() { return mmu_; }
    HostMemory& host() { return host_; }
    const HostMemory& host() const { return host_; }
    Reservation& reservation() { return reservation_; }

    /// Call when privilege, mstatus, satp or PMP may have changed.
    void context_changed();
    /// Call when PMP has changed, before context_changed().
    void protection_changed();
    /// The regions of memory must be requested from the bus again.
    void direct_memory_withdrawn();
    /// True: no page is known, and every access asks the ExecutionMode.
    void ask_about_accesses(bool all);
    /// The next store to this physical page must ask about reservations.
    void forget_stores(Address page_number);

    bool translated() const { return translated_; }
    /// For native code: the first page of the table that accesses look into, of translated pages if
    /// translated(), else of host memory.
    const void* const* quick_pages() const { return &quick_pages_; }
    /// Nothing unless the page is in the TLB and its entry permits the access. From the second time
    /// on find_translated() knows it.
    std::optional<Address> translate_known(Address address, Access access);
    /// If translated(): the memory at this address and its physical one, or null if the page is not
    /// known in one look. Its size must not cross the page.
    std::byte* find_translated(Address address, Access access, Address& physical) {
        const TranslatedPages::Page* const page = mmu_.pages().find(address, access);
        if (page == nullptr) {
            return nullptr;
        }
        mmu_.data_tlb().touch(page->entry, page->path);
        physical = page->physical(address);
        return page->host(address);
    }
    /// Walks the page tables on a TLB miss; find_translated() then knows the page.
    Translation translate(Address address, Access access, const Mmu::Walked* walked = nullptr);
    std::optional<Mmu::Walked> walk_ahead(Address address, Access access) {
        return mmu_.walk_ahead(address, access, privilege_);
    }
    std::optional<Address> translate_apart(Address address, Access access) {
        return mmu_.translate_apart(address, access, privilege_);
    }
    bool allowed(Address physical, unsigned size, Access access) const {
        return arch_.csr.pmp().allows(physical, size, access, privilege_);
    }

    /// False if protection may refuse a load or a store there.
    bool open_to_both(Address physical, unsigned size) const;
    /// Whatever follows the access; see pmp_check.
    bool surely_allowed(Address physical, unsigned size, Access access) const {
        return allowed(physical, size, access) && open_to_both(physical, size);
    }
    /// Quick lookup: null unless the whole page is known to be plain memory for this access.
    const std::byte* known(Address physical, Access access) const {
        const HostMemory::Page& page = host_.page(physical);
        return page.has(physical, access) ? page.host(physical) : nullptr;
    }
    std::byte* known_for_store(Address physical) {
        return const_cast<std::byte*>(known(physical, Access::Store));
    }

    /// Plain main memory for an access that protection allows, or null if there is none. A page
    /// that is contiguous except for a watched word, and that PMP treats alike, is remembered for
    /// known().
    std::byte* plain(Address physical, unsigned size, Access access);
    /// Main memory for an AMO, LR or SC; null if there is none or protection forbids it.
    std::byte* atomic(Address physical, unsigned size, Access access);

    /// Must be called after a write to bytes of plain() or atomic().
    void put_back(const std::byte* changed, unsigned size) {
        host_.put_back(changed, size, time_.decode);
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    std::optional<std::uint64_t> read_pte(Address address) override;
    std::optional<std::uint64_t> read_known_pte(Address address) override;
    bool write_pte(Address address, std::uint64_t value) override;
    void remember_host(Address physical, unsigned size, Access access);
    void remember_translated(Address address, Address physical);

    const HartConfig& config_;
    const ArchState& arch_;
    const HartTime& time_;
    bool translated_ = false;
    bool asks_always_ = false; ///< see ask_about_accesses()
    const void* quick_pages_ = nullptr;
    Privilege privilege_ = Privilege::Machine; ///< of data accesses: mstatus.MPRV
    std::uint16_t asid_ = 0;
    HostMemory host_;
    Mmu mmu_;
    Reservation reservation_;
};

} // namespace pes
