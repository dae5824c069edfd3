// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/code_memory.h"

#include "hw/core/arch/decode.h"

#include <cstring>

namespace pes {

namespace {

constexpr Address kPageBytes = 0x1000;

std::uint32_t joined(std::uint16_t low, std::uint16_t high) {
    return static_cast<std::uint32_t>(high) << 16 | low;
}

} // namespace

CodeMemory::CodeMemory(const HartConfig& config, const ArchState& arch, Mmu& mmu, HostMemory& host,
                       const HartTime& time)
    : config_(config), arch_(arch), mmu_(mmu), host_(host), time_(time),
      decoded_(config.decoded_pages) {}

// --- Pages --------------------------------------------------------------------------------------

bool CodeMemory::enter() {
    const Address pc = arch_.pc;
    Translation translation{.physical = pc};
    if (arch_.fetch_is_translated()) {
        translation = mmu_.translate(pc, Access::Fetch, arch_.privilege);
        if (translation.fault) {
            fail({*translation.fault, pc, FetchFault::Half::First, translation.walk});
            return false;
        }
    }
    if (!open(translation)) {
        fail({Cause::InstructionAccess, pc});
        return false;
    }
    return true;
}

/// False if what lies at the pc may not be executed.
bool CodeMemory::open(const Translation& translation) {
    const Address physical = translation.physical & kPageMask;
    const Address first = physical | (arch_.pc & ~kPageMask);
    if (!config_.memory.contains(first) || !arch_.may_fetch(first)) {
        return false;
    }
    if (decoded_.full()) [[unlikely]] {
        forget_pages();
        decoded_.condense();
    }
    DecodedPage& decoded = decoded_page(physical);
    page_ = {.virtual_page = arch_.pc & kPageMask,
             .physical_page = physical,
             .decoded = &decoded,
             .version = decoded.version,
             .uniform_protection = arch_.csr.pmp().uniform_in_page(physical),
             .global = translation.global,
             .walk = translation.walk};
    recent_[(arch_.pc >> kPageShift) % recent_.size()] = {
        .page = page_, .privilege = arch_.privilege, .context = context_};
    return true;
}

bool CodeMemory::follow() {
    const Address pc = arch_.pc;
    Translation translation{.physical = pc & kPageMask};
    if (arch_.fetch_is_translated()) {
        const TlbEntry* const entry = mmu_.known(pc, Access::Fetch, arch_.privilege);
        if (entry == nullptr) {
            return false;
        }
        translation = {.physical = entry->physical(pc) & kPageMask, .global = entry->global};
    }
    const auto& [page, privilege, context] = recent_[(pc >> kPageShift) % recent_.size()];
    if (context == context_ && privilege == arch_.privilege &&
        page.virtual_page == (pc & kPageMask) && page.physical_page == translation.physical &&
        page.global == translation.global) {
        page_ = page;
        page_.walk = nullptr;
        return true;
    }
    return open(translation);
}

void CodeMemory::forget_pages() {
    leave_page();
    ++context_;
}

void CodeMemory::flush() {
    decoded_.flush();
    forget_pages();
}

// --- Decoding -----------------------------------------------------------------------------------

DecodedPage& CodeMemory::decoded_page(Address physical) {
    DecodedPage& page = decoded_.page(physical);
    if (decoded_.stale(page)) [[unlikely]] {
        const bool plain = !host_.is_lazy(physical, DecodedPage::kBytes);
        const std::byte* const bytes =
            plain ? host_.find(physical, DecodedPage::kBytes, time_.decode) : nullptr;
        decoded_.renew(page,
                       bytes == nullptr ? PageBytes() : PageBytes(bytes, DecodedPage::kBytes));
    }
    return page;
}

Instruction CodeMemory::decode_word(std::uint32_t word) const {
    return decode(word, config_.pulsing(), config_.extensions);
}

std::optional<std::uint16_t> CodeMemory::parcel(Address physical) {
    const std::byte* const bytes =
        arch_.may_fetch(physical) ? host_.find(physical, 2, time_.decode) : nullptr;
    if (bytes == nullptr) {
        return std::nullopt;
    }
    std::uint16_t value = 0;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

/// Fills an empty slot from what condense() has kept of it. Null if it has never been decoded.
const Instruction* CodeMemory::decode_again(DecodedPage& page, Address offset) {
    const auto word = page.condensed == nullptr ? std::nullopt : page.condensed->word(offset / 2);
    return word ? &page.fill(offset / 2, decode_word(*word)) : nullptr;
}

/// Decodes the instruction at the pc into its slot. Null: it cannot be fetched.
const Instruction* CodeMemory::decode_at_pc() {
    const Address offset = arch_.pc & ~kPageMask;
    DecodedPage& page = *page_.decoded;
    if (page_.uniform_protection) { // what is not uniform is decoded from memory each time
        if (const Instruction* const kept = decode_again(page, offset)) {
            return kept;
        }
    }
    const Address physical = page_.physical_page + offset;
    const std::optional<std::uint16_t> low = parcel(physical);
    if (!low) {
        return fail({Cause::InstructionAccess, arch_.pc});
    }
    if (length_of(*low) == 2) {
        return &page.fill(offset / 2, decode_word(*low));
    }
    if (offset + 4 > kPageBytes) {
        return decode_across_pages(*low);
    }
    const std::optional<std::uint16_t> high = parcel(physical + 2);
    if (!high) {
        return fail({Cause::InstructionAccess, arch_.pc + 2, FetchFault::Half::Second});
    }
    return &page.fill(offset / 2, decode_word(joined(*low, *high)));
}

/// An instruction whose second half lies in the next virtual page: translated anew every time,
/// since either page may be remapped, and never kept in a slot. A fault reports the second page's
/// address (privileged specification, xtval).
const Instruction* CodeMemory::decode_across_pages(std::uint16_t low) {
    const Address second = arch_.pc + 2;
    second_half_ = {.physical = second};
    if (arch_.fetch_is_translated()) {
        if (page_.walk != nullptr) { // the MMU keeps one
            page_.walk = &(first_walk_ = *page_.walk);
        }
        const Translation translation = mmu_.translate(second, Access::Fetch, arch_.privilege);
        if (translation.fault) {
            return fail({*translation.fault, second, FetchFault::Half::Second, translation.walk});
        }
        second_half_ = {.physical = translation.physical, .walk = translation.walk};
    }
    const auto high = config_.memory.contains(second_half_.physical)
                          ? parcel(second_half_.physical)
                          : std::optional<std::uint16_t>();
    if (!high) {
        return fail({Cause::InstructionAccess, second, FetchFault::Half::Second});
    }
    across_pages_ = decode_word(joined(low, *high));
    return &across_pages_;
}

std::optional<std::uint32_t> CodeMemory::word_across_pages(Address physical) {
    if (arch_.fetch_is_translated() || host_.is_lazy(physical, 4)) {
        return std::nullopt;
    }
    const std::byte* const bytes = host_.find(physical, 4, time_.decode);
    if (bytes == nullptr || !config_.memory.contains(physical + 2) || !arch_.may_fetch(physical) ||
        !arch_.may_fetch(physical + 2)) {
        return std::nullopt;
    }
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return length_of(static_cast<std::uint16_t>(word)) == 4 ? std::optional(word) : std::nullopt;
}

std::optional<Instruction> CodeMemory::next_in_page() {
    const Address offset = arch_.next_pc & ~kPageMask;
    if ((arch_.next_pc & kPageMask) != page_.virtual_page ||
        offset + sizeof(std::uint32_t) > kPageBytes) {
        return std::nullopt;
    }
    const std::byte* const bytes =
        host_.find(page_.physical_page + offset, sizeof(std::uint32_t), time_.decode);
    if (bytes == nullptr) {
        return std::nullopt;
    }
    std::uint32_t raw = 0;
    std::memcpy(&raw, bytes, sizeof(raw));
    return decode_word(length_of(static_cast<std::uint16_t>(raw)) == 2 ? raw & 0xFFFF : raw);
}

// --- For the timing model -----------------------------------------------------------------------

std::optional<CodePage> CodeMemory::code_page(Address page) {
    const std::optional<Address> physical =
        arch_.fetch_is_translated() ? mmu_.code_page(page) : page;
    if (!physical) {
        return std::nullopt;
    }
    return CodePage{.physical = *physical, .version = decoded_page(*physical).version};
}

const PageWalk* CodeMemory::walk_code(Address page) {
    return arch_.fetch_is_translated() ? mmu_.walk_code(page) : nullptr;
}

/// In machine mode under MPRV it is not known.
std::optional<Address> CodeMemory::data_at(Address address) const {
    std::optional<Address> physical = address;
    if (arch_.fetch_is_translated()) {
        physical = mmu_.data_at(address);
    } else if (arch_.csr.status(mstatus::kMprv)) {
        return std::nullopt;
    }
    return physical && config_.memory.contains(*physical) ? physical : std::nullopt;
}

const Instruction* CodeMemory::instruction_at(Address physical) {
    const Address page = physical & kPageMask;
    const Address offset = physical & ~kPageMask;
    const bool here = page_.decoded != nullptr && page == page_.physical_page;
    DecodedPage& decoded = here ? *page_.decoded : decoded_page(page);
    const Instruction& slot = decoded[offset / 2];
    return slot.execute != nullptr ? &slot : decode_at(physical, decoded);
}

/// As instruction_at(), of one whose slot in the page is empty.
[[gnu::noinline]] const Instruction* CodeMemory::decode_at(Address physical, DecodedPage& decoded) {
    const Address offset = physical & ~kPageMask;
    if (const Instruction* const kept = decode_again(decoded, offset)) {
        return kept;
    }
    std::uint16_t halves[2] = {};
    const std::byte* bytes = host_.find(physical, sizeof halves[0], time_.decode);
    if (bytes == nullptr) {
        return nullptr;
    }
    std::memcpy(halves, bytes, sizeof halves[0]);
    if (length_of(halves[0]) == 2) {
        return &decoded.fill(offset / 2, decode_word(halves[0]));
    }
    bytes = offset + 4 > kPageBytes ? nullptr : host_.find(physical, sizeof halves, time_.decode);
    if (bytes == nullptr) {
        return nullptr;
    }
    std::memcpy(halves, bytes, sizeof halves);
    return &decoded.fill(offset / 2, decode_word(joined(halves[0], halves[1])));
}

} // namespace pes
