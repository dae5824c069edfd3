// SPDX-License-Identifier: Apache-2.0
// Sv39 address translation with an instruction and a data TLB. A = 0, or D = 0 on a store, is a
// page fault, as on CVA6 (Svade); with menvcfg.ADUE = 1 the walk sets the bits (Svadu). Accesses to
// page tables obey PMP as those of S-mode. Source: privileged specification 4.3.2, 4.4, "Svadu".
#pragma once

#include "hw/core/arch/causes.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/hart_config.h"
#include "hw/core/memory/tlb.h"
#include "hw/core/memory/translated_pages.h"
#include "hw/core/timing/pipeline.h"
#include "hw/interface/types.h"

#include <optional>

namespace pes {

/// Page-table entries in physical memory.
class PageTableMemory {
  public:
    PageTableMemory() = default;
    PageTableMemory(const PageTableMemory&) = delete;
    PageTableMemory& operator=(const PageTableMemory&) = delete;
    virtual ~PageTableMemory() = default;
    /// No value on a bus error.
    virtual std::optional<std::uint64_t> read_pte(Address address) = 0;
    /// The same in a quick way; no value if it is not known that protection allows it.
    virtual std::optional<std::uint64_t> read_known_pte(Address /*address*/) {
        return std::nullopt;
    }
    /// False if hardware cannot write page tables there.
    virtual bool write_pte(Address address, std::uint64_t value) = 0;
};

struct Translation {
    Address physical = 0;
    bool global = false;            ///< mapped in every address space alike (PTE.G)
    const PageWalk* walk = nullptr; ///< the walk that a TLB miss caused; valid until the next one
    std::optional<Cause> fault{};
};

class Mmu {
  private:
    struct Leaf {
        TlbEntry entry;
        std::optional<Cause> fault;
    };

  public:
    Mmu(const HartConfig& config, const CsrFile& csr, PageTableMemory& tables);

    /// For `privilege` (S or U, after MPRV), with translation on: the entry of the page if it is in
    /// the TLB and the access is permitted, else null.
    const TlbEntry* known(Address address, Access access, Privilege privilege);
    std::optional<Address> translate_known(Address address, Access access, Privilege privilege) {
        const TlbEntry* const entry = known(address, access, privilege);
        return entry == nullptr ? std::nullopt : std::optional(entry->physical(address));
    }
    /// What the data TLB holds, with its place in host memory.
    TranslatedPages& pages() { return pages_; }
    /// The data TLB has just found `address`, which is at `physical` in the page `host`.
    void remember(Address address, Privilege privilege, Address physical,
                  const HostMemory::Page& host);
    Tlb& data_tlb() { return dtlb_; }
    /// The same, with a page-table walk on a TLB miss.
    Translation translate(Address address, Access access, Privilege privilege) {
        return translate(address, access, privilege, nullptr);
    }
    /// The same for an access that is not the hart's: neither uses nor changes a TLB, and does not
    /// set A and D.
    std::optional<Address> translate_apart(Address address, Access access, Privilege privilege) {
        const std::optional<Walked> walked = walk_ahead(address, access, privilege);
        return walked ? std::optional(walked->physical) : std::nullopt;
    }
    /// What translate_apart() has found, for a translate() that follows at once.
    struct Walked {
        Address address;
        Access access;
        Leaf leaf;
        PageWalk walk;
        Address physical;
    };
    std::optional<Walked> walk_ahead(Address address, Access access, Privilege privilege);
    Translation translate(Address address, Access access, Privilege privilege,
                          const Walked* walked);
    /// The same for a debugger, which has every right.
    std::optional<Address> locate(Address address);
    void flush(std::optional<Address> address, std::optional<std::uint16_t> asid);
    /// The physical page of a page of code, if no walk is needed. The frontend has looked it up.
    std::optional<Address> code_page(Address page);
    std::optional<Address> data_at(Address address) const;
    /// See CodeReader.
    const PageWalk* walk_code(Address page);
    void keep_walked() { itlb_.insert(walked_); }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    Leaf walk(Address address, Access access);
    std::optional<std::uint64_t> read(Address location);
    void fill(Access access, const TlbEntry& entry, bool in_place);
    std::optional<Cause> mark(TlbEntry& leaf, Access access);
    bool marks(std::uint64_t leaf, Access access, Privilege privilege) const;
    bool open_to(std::uint64_t leaf, Access access, Privilege privilege) const;
    bool grants(std::uint64_t leaf, Access access) const;
    bool allows(std::uint64_t leaf, Access access) const;
    bool permitted(std::uint64_t leaf, Access access, Privilege privilege) const {
        return open_to(leaf, access, privilege) && allows(leaf, access);
    }
    /// The same for a page that the TLB has.
    bool permitted_known(std::uint64_t leaf, Access access, Privilege privilege) const {
        return open_to(leaf, access, privilege) &&
               ((access == Access::Load && !checks_known_loads_) || allows(leaf, access));
    }

    const CsrFile& csr_;
    PageTableMemory& tables_;
    bool checks_known_loads_;
    Tlb itlb_;
    Tlb dtlb_;
    TranslatedPages pages_;
    PageWalk walk_;
    TlbEntry walked_; ///< by walk_code()
};

} // namespace pes
