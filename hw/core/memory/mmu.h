// SPDX-License-Identifier: Apache-2.0
// Sv39 address translation with an instruction and a data TLB. A and D bits are never written by
// hardware: A = 0, or D = 0 on a store, is a page fault, as on CVA6 (the specification's first
// scheme). Page-table reads obey PMP as S-mode loads. Source: privileged specification 4.3.2, 4.4.
#pragma once

#include "hw/core/arch/causes.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/hart_config.h"
#include "hw/core/memory/tlb.h"
#include "hw/core/timing/pipeline.h"
#include "hw/interface/types.h"

#include <optional>

namespace pes {

/// Reads page-table entries from physical memory; empty on a bus error.
class PageTableReader {
  public:
    PageTableReader() = default;
    PageTableReader(const PageTableReader&) = delete;
    PageTableReader& operator=(const PageTableReader&) = delete;
    virtual ~PageTableReader() = default;
    virtual std::optional<std::uint64_t> read_pte(Address address) = 0;
};

struct Translation {
    Address physical = 0;
    const PageWalk* walk = nullptr; ///< the walk that a TLB miss caused; valid until the next one
    std::optional<Cause> fault;
};

class Mmu {
  public:
    Mmu(const HartConfig& config, const CsrFile& csr, PageTableReader& reader);

    /// For `privilege` (S or U, after MPRV), with translation on: the physical address as far as
    /// the TLB has the page and the access is permitted.
    std::optional<Address> translate_known(Address address, Access access, Privilege privilege);
    /// Likewise, with a walk of the tables on a TLB miss.
    Translation translate(Address address, Access access, Privilege privilege);
    /// Likewise, for an access that is not the hart's: no TLB is used or changed, and A and D are
    /// left as they are.
    std::optional<Address> translate_apart(Address address, Access access, Privilege privilege);
    void flush(std::optional<Address> address, std::optional<std::uint16_t> asid);
    /// The physical page of a page of code as far as no walk is needed. Changes nothing.
    std::optional<Address> code_page(Address page) const;
    std::optional<Address> data_at(Address address) const;
    /// See CodeReader.
    const PageWalk* walk_code(Address page);
    void keep_walked() { itlb_.insert(walked_); }

  private:
    struct Leaf {
        TlbEntry entry;
        std::optional<Cause> fault;
    };
    Leaf walk(Address address, Access access);
    bool open_to(std::uint64_t leaf, Access access, Privilege privilege) const;
    bool allows(std::uint64_t leaf, Access access) const;
    bool permitted(std::uint64_t leaf, Access access, Privilege privilege) const {
        return open_to(leaf, access, privilege) && allows(leaf, access);
    }

    const CsrFile& csr_;
    PageTableReader& reader_;
    Tlb itlb_;
    Tlb dtlb_;
    PageWalk walk_;
    TlbEntry walked_; ///< by walk_code()
};

} // namespace pes
