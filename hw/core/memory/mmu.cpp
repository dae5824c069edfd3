// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/mmu.h"

#include "hw/core/memory/faults.h"

#include <bit>
#include <utility>

namespace pes {

namespace {

constexpr int kLevels = 3;
constexpr unsigned kIndexBits = 9;
constexpr Address kVirtualMask = (Address{1} << 39) - 1;

Cause page_fault(Access access) {
    switch (access) {
    case Access::Fetch:
        return Cause::InstructionPage;
    case Access::Load:
        return Cause::LoadPage;
    default:
        return Cause::StorePage;
    }
}

bool is_marked(std::uint64_t leaf, Access access) {
    const std::uint64_t needed = access == Access::Store ? pte::kA | pte::kD : pte::kA;
    return (leaf & needed) == needed;
}

/// Bits 63:39 must equal bit 38.
bool canonical(Address address) {
    const auto top = static_cast<std::int64_t>(address) >> 38;
    return top == 0 || top == -1;
}

} // namespace

Mmu::Mmu(const HartConfig& config, const CsrFile& csr, PageTableMemory& tables)
    : csr_(csr), tables_(tables),
      checks_known_loads_(config.load_rights == UpstreamDefect::Corrected),
      itlb_(config.itlb_entries), dtlb_(config.dtlb_entries) {}

void Mmu::flush(std::optional<Address> address, std::optional<std::uint16_t> asid) {
    if (address) {
        *address &= kVirtualMask; // as the TLBs keep it
    }
    itlb_.flush(address, asid);
    for (std::uint64_t left = dtlb_.flush(address, asid); left != 0; left &= left - 1) {
        pages_.forget_entry(static_cast<std::uint32_t>(std::countr_zero(left)));
    }
}

std::optional<Address> Mmu::code_page(Address page) {
    const TlbEntry* const entry = itlb_.lookup((page & kVirtualMask) >> 12, csr_.asid());
    return entry == nullptr ? std::nullopt : std::optional(entry->physical(page));
}

const PageWalk* Mmu::walk_code(Address page) {
    if (!canonical(page)) {
        return nullptr;
    }
    const Leaf leaf = walk(page, Access::Fetch);
    walk_.fills_tlb = !leaf.fault && allows(leaf.entry.leaf, Access::Fetch);
    walked_ = leaf.entry;
    return &walk_;
}

std::optional<Address> Mmu::data_at(Address address) const {
    const TlbEntry* const entry = dtlb_.find((address & kVirtualMask) >> 12, csr_.asid());
    return entry == nullptr ? std::nullopt : std::optional(entry->physical(address));
}

bool Mmu::open_to(std::uint64_t leaf, Access access, Privilege privilege) const {
    const bool user_page = (leaf & pte::kU) != 0;
    if (privilege == Privilege::User) {
        return user_page;
    }
    return !user_page || (access != Access::Fetch && csr_.status(mstatus::kSum));
}

/// By R, W and X.
bool Mmu::grants(std::uint64_t leaf, Access access) const {
    switch (access) {
    case Access::Fetch:
        return (leaf & pte::kX) != 0;
    case Access::Load:
        return (leaf & pte::kR) != 0 || (csr_.status(mstatus::kMxr) && (leaf & pte::kX) != 0);
    default:
        return (leaf & pte::kW) != 0;
    }
}

bool Mmu::allows(std::uint64_t leaf, Access access) const {
    return is_marked(leaf, access) && grants(leaf, access);
}

/// Svadu: only A or D stands in the way of the access.
bool Mmu::marks(std::uint64_t leaf, Access access, Privilege privilege) const {
    return csr_.environment(menvcfg::kAdue) && !is_marked(leaf, access) &&
           open_to(leaf, access, privilege) && grants(leaf, access);
}

/// Sets A, and D for a store, in the entry that the walk has read last. Nothing comes between read
/// and write: harts take turns between instructions.
std::optional<Cause> Mmu::mark(TlbEntry& leaf, Access access) {
    const Address location = walk_.pte[walk_.reads - 1U];
    const std::uint64_t value = leaf.leaf | pte::kA | (access == Access::Store ? pte::kD : 0);
    if (!csr_.pmp().allows(location, 8, Access::Store, Privilege::Supervisor) ||
        !tables_.write_pte(location, value)) {
        return access_fault(access);
    }
    leaf.leaf = value;
    walk_.updates = true;
    return std::nullopt;
}

const TlbEntry* Mmu::known(Address address, Access access, Privilege privilege) {
    Tlb& tlb = access == Access::Fetch ? itlb_ : dtlb_;
    const TlbEntry* const hit =
        canonical(address) ? tlb.lookup((address & kVirtualMask) >> 12, csr_.asid()) : nullptr;
    return hit != nullptr && permitted_known(hit->leaf, access, privilege) ? hit : nullptr;
}

Translation Mmu::translate(Address address, Access access, Privilege privilege,
                           const Walked* walked) {
    if (!canonical(address)) {
        return {.fault = page_fault(access)};
    }
    const std::uint64_t page = (address & kVirtualMask) >> 12;
    Tlb& tlb = access == Access::Fetch ? itlb_ : dtlb_;
    const TlbEntry* const hit = tlb.lookup(page, csr_.asid());
    const bool stale = hit != nullptr && marks(hit->leaf, access, privilege);
    if (hit != nullptr && !stale) {
        if (!permitted_known(hit->leaf, access, privilege)) {
            return {.fault = page_fault(access)};
        }
        return {.physical = hit->physical(address & kVirtualMask), .global = hit->global};
    }
    const bool known = walked != nullptr && walked->address == address && walked->access == access;
    Leaf leaf = known ? walked->leaf : walk(address, access);
    if (known) {
        walk_ = walked->walk;
    }
    if (!leaf.fault && marks(leaf.entry.leaf, access, privilege)) {
        leaf.fault = mark(leaf.entry, access);
    }
    if (leaf.fault) {
        return {.walk = &walk_, .fault = leaf.fault};
    }
    walk_.fills_tlb = allows(leaf.entry.leaf, access); // [cva6_ptw.sv]
    if (walk_.fills_tlb) {
        fill(access, leaf.entry, stale);
    }
    if (!permitted(leaf.entry.leaf, access, privilege)) {
        return {.walk = &walk_, .fault = page_fault(access)};
    }
    return {.physical = leaf.entry.physical(address & kVirtualMask),
            .global = leaf.entry.global,
            .walk = &walk_};
}

/// Pages of a superpage may have been found in other entries, and would now be found in this one.
void Mmu::fill(Access access, const TlbEntry& entry, bool in_place) {
    constexpr std::uint64_t kOnePage = ~std::uint64_t{0};
    Tlb& tlb = access == Access::Fetch ? itlb_ : dtlb_;
    in_place ? tlb.replace(entry) : tlb.insert(entry);
    if (access == Access::Fetch) {
        return;
    }
    if (entry.page_mask == kOnePage && !dtlb_.overlapping()) {
        pages_.forget_entry(dtlb_.last());
    } else {
        pages_.forget();
    }
}

/// Pages of users depend on SUM in S-mode, pages that only MXR makes readable on that. Where
/// entries overlap, the page may be found in another one the next time.
void Mmu::remember(Address address, Privilege privilege, Address physical,
                   const HostMemory::Page& host) {
    const std::uint64_t leaf = dtlb_.last_entry().leaf;
    const bool own = (leaf & pte::kU) == 0 || privilege == Privilege::User;
    if (!own || dtlb_.overlapping()) {
        return;
    }
    const auto without = [leaf](std::uint64_t needed, Address& tag) {
        tag = (leaf & needed) == needed ? tag : kNever;
    };
    HostMemory::Page permitted = host;
    without(checks_known_loads_ ? pte::kR : 0,
            permitted.load_tag); // A is set, or the TLB would not have it
    without(pte::kD | pte::kW, permitted.store_tag);
    pages_.remember(address, physical, permitted, dtlb_);
}

std::optional<Mmu::Walked> Mmu::walk_ahead(Address address, Access access, Privilege privilege) {
    if (!canonical(address)) {
        return std::nullopt;
    }
    const PageWalk of_hart = walk_; // somebody may look at it still
    const Leaf leaf = walk(address, access);
    const PageWalk walk = std::exchange(walk_, of_hart);
    if (leaf.fault || !permitted(leaf.entry.leaf, access, privilege)) {
        return std::nullopt;
    }
    return Walked{.address = address,
                  .access = access,
                  .leaf = leaf,
                  .walk = walk,
                  .physical = leaf.entry.physical(address & kVirtualMask)};
}

std::optional<Address> Mmu::locate(Address address) {
    if (!canonical(address)) {
        return std::nullopt;
    }
    const PageWalk of_hart = walk_;
    const Leaf leaf = walk(address, Access::Load);
    walk_ = of_hart;
    return leaf.fault ? std::nullopt : std::optional(leaf.entry.physical(address & kVirtualMask));
}

/// No value if protection forbids it, or on a bus error.
std::optional<std::uint64_t> Mmu::read(Address location) {
    if (const std::optional<std::uint64_t> known = tables_.read_known_pte(location)) {
        return known;
    }
    const bool allowed = csr_.pmp().allows(location, 8, Access::Load, Privilege::Supervisor);
    return allowed ? tables_.read_pte(location) : std::nullopt;
}

Mmu::Leaf Mmu::walk(Address address, Access access) {
    walk_.reads = 0;
    walk_.fills_tlb = false;
    walk_.updates = false;
    Address table = (csr_.satp() & satp::kPpnMask) << 12;
    bool global = false;
    for (int level = kLevels - 1; level >= 0; --level) {
        const unsigned shift = 12 + kIndexBits * static_cast<unsigned>(level);
        const Address location = table + ((address >> shift) & 0x1FF) * 8;
        walk_.pte[walk_.reads++] = location;
        const std::optional<std::uint64_t> entry = read(location);
        if (!entry) {
            return {.entry = {}, .fault = access_fault(access)};
        }
        const std::uint64_t value = *entry;
        const bool writable_only = (value & (pte::kR | pte::kW)) == pte::kW;
        if ((value & pte::kV) == 0 || writable_only || (value & pte::kReserved) != 0) {
            break;
        }
        global = global || (value & pte::kG) != 0;
        if ((value & (pte::kR | pte::kX)) == 0) {
            if ((value & (pte::kD | pte::kA | pte::kU)) != 0) {
                break; // reserved in a pointer to the next level
            }
            table = ((value >> pte::kPpnShift) & pte::kPpnMask) << 12;
            continue;
        }
        const std::uint64_t below = (std::uint64_t{1} << (kIndexBits * level)) - 1;
        if (((value >> pte::kPpnShift) & below) != 0) {
            break; // misaligned superpage
        }
        return {.entry = {.page = ((address & kVirtualMask) >> 12) & ~below,
                          .page_mask = ~below,
                          .leaf = value,
                          .asid = csr_.asid(),
                          .global = global,
                          .valid = true},
                .fault = std::nullopt};
    }
    return {.entry = {}, .fault = page_fault(access)};
}

} // namespace pes
