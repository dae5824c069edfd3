// SPDX-License-Identifier: Apache-2.0
// The look for the host's page of an access, as QuickPage::has().
#pragma once

#include "hw/core/blocks/native/code_writer.h"
#include "hw/core/memory/host_memory.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace pes::native {

/// A member of the page at rdx.
template <typename Page>
x86::Mem page_member(const Page& page, const void* member, std::uint32_t size) {
    const auto offset =
        static_cast<const std::byte*>(member) - reinterpret_cast<const std::byte*>(&page);
    return x86::ptr(x86::rdx, static_cast<std::int32_t>(offset), size);
}

inline x86::Mem page_tag(Access access) {
    const QuickPage page;
    return page_member(page, access == Access::Load ? &page.load_tag : &page.store_tag, 8);
}

/// An address in rax. The entry that would have its page is at rdx then, and rcx what its tag would
/// be; not equal if it is not: the page is unknown or has a hole, or the address is misaligned,
/// since no tag has bits of such an address.
template <typename Page>
void look_for_page(CodeWriter& w, Access access, unsigned bytes, std::uint64_t pages) {
    static_assert(std::has_single_bit(sizeof(Page)));
    constexpr unsigned kEntryShift = std::countr_zero(sizeof(Page));
    x86::Assembler& a = w.a;
    a.mov(x86::edx, x86::eax);
    a.shr(x86::edx, Imm(kPageShift - kEntryShift));
    a.and_(x86::edx, Imm((pages - 1) << kEntryShift));
    a.add(x86::rdx, x86::r15);
    a.mov(x86::rcx, x86::rax);
    a.and_(x86::rcx, Imm(~std::int64_t{kPageOffset} | (bytes - 1)));
    a.cmp(x86::rcx, page_tag(access));
}

/// Behind that, not equal: jumps to `slow` unless the access lies beside the hole of its page.
/// Changes r8.
inline void look_beside_hole(CodeWriter& w, Access access, const Label& slow) {
    const QuickPage page;
    x86::Assembler& a = w.a;
    a.or_(x86::rcx, Imm(QuickPage::kHole));
    a.cmp(x86::rcx, page_tag(access));
    a.jne(slow);
    a.mov(x86::ecx, x86::eax);
    a.and_(x86::ecx, Imm(kPageOffset));
    a.movzx(x86::r8d, page_member(page, &page.hole, 2));
    a.sub(x86::ecx, x86::r8d);
    a.movzx(x86::r8d, page_member(page, &page.hole_bytes, 2));
    a.cmp(x86::ecx, x86::r8d);
    a.jb(slow);
}

} // namespace pes::native
