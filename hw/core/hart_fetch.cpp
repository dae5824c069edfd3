// SPDX-License-Identifier: Apache-2.0
// The hart's fetch side: pages that instructions come from, and decoding what lies there.
#include "hw/core/decode.h"
#include "hw/core/hart.h"

#include <cstring>

namespace pes {

namespace {

constexpr Address kPageMask = ~Address{0xFFF};

} // namespace

bool Hart::fetch() {
    if ((pc_ & kPageMask) != fetch_page_.virtual_page && !enter_fetch_page()) [[unlikely]] {
        return false;
    }
    const Address offset = pc_ & ~kPageMask;
    Instruction& slot = fetch_page_.decoded->slots[offset / 2];
    current_ = &slot;
    if (slot.execute == nullptr || !fetch_page_.uniform_protection) [[unlikely]] {
        current_ = decode_at(slot, offset);
        if (current_ == nullptr) {
            return false;
        }
    }
    decode_ = pipeline_.fetch(pc_, fetch_page_.physical_page + offset, current_->length,
                              fetch_page_.walk);
    feed_.settle_before(decode_);
    fetch_page_.walk = nullptr;
    fetched_ = true;
    return true;
}

bool Hart::enter_fetch_page() {
    Address physical = pc_ & kPageMask;
    const PageWalk* walk = nullptr;
    if (privilege_ != Privilege::Machine && csr_.translation_on()) {
        const Translation translation = mmu_.translate(pc_, Access::Fetch, privilege_);
        if (translation.fault) {
            pipeline_.failing_fetch(translation.walk);
            raise(*translation.fault, pc_);
            return false;
        }
        physical = translation.physical & kPageMask;
        walk = translation.walk;
    }
    if (!open_fetch_page(physical, walk)) {
        raise(Cause::InstructionAccess, pc_);
        return false;
    }
    return true;
}

/// False if what lies at pc_ may not be executed.
bool Hart::open_fetch_page(Address physical, const PageWalk* walk) {
    const Address first = physical | (pc_ & ~kPageMask);
    const bool executable =
        config_.memory.contains(first) && csr_.pmp().allows(first, 2, Access::Fetch, privilege_);
    if (!executable) {
        return false;
    }
    if (decode_cache_.full()) [[unlikely]] {
        leave_fetch_pages();
        current_ = nullptr;
        decode_cache_.condense();
    }
    fetch_page_ = {.virtual_page = pc_ & kPageMask,
                   .physical_page = physical,
                   .decoded = &decode_cache_.page(physical),
                   .uniform_protection = csr_.pmp().uniform_in_page(physical),
                   .walk = walk};
    recent_pages_[(pc_ >> 12) % recent_pages_.size()] = fetch_page_;
    return true;
}

/// Fills an empty slot from what condense() has kept of it. False if it has never been decoded.
bool Hart::decode_again(DecodedPage& page, Address offset) {
    const auto word = page.condensed == nullptr ? std::nullopt : page.condensed->word(offset / 2);
    if (word) {
        page.slots[offset / 2] = decode(*word, config_.sources);
    }
    return word.has_value();
}

/// Decodes the instruction at `offset` of the fetch page into its slot. Null if a trap was raised.
const Instruction* Hart::decode_at(Instruction& slot, Address offset) {
    if (fetch_page_.uniform_protection && decode_again(*fetch_page_.decoded, offset)) {
        return &slot; // what is not uniform is decoded from memory each time
    }
    const Address physical = fetch_page_.physical_page + offset;
    const auto allowed = [&](Address address) {
        return csr_.pmp().allows(address, 2, Access::Fetch, privilege_);
    };
    const std::byte* const low_bytes =
        allowed(physical) ? memory_.find(physical, 2, decode_) : nullptr;
    if (low_bytes == nullptr) {
        raise(Cause::InstructionAccess, pc_);
        return nullptr;
    }
    std::uint16_t low = 0;
    std::memcpy(&low, low_bytes, sizeof(low));
    if (length_of(low) == 2) {
        slot = decode(low, config_.sources);
        return &slot;
    }
    if (offset + 4 > 0x1000) {
        return decode_across_pages(low);
    }
    const std::byte* const high_bytes =
        allowed(physical + 2) ? memory_.find(physical + 2, 2, decode_) : nullptr;
    if (high_bytes == nullptr) {
        raise(Cause::InstructionAccess, pc_ + 2);
        return nullptr;
    }
    std::uint16_t high = 0;
    std::memcpy(&high, high_bytes, sizeof(high));
    slot = decode(static_cast<std::uint32_t>(high) << 16 | low, config_.sources);
    return &slot;
}

std::optional<Address> Hart::code_page(Address page) {
    if (privilege_ == Privilege::Machine || !csr_.translation_on()) {
        return page;
    }
    return mmu_.code_page(page);
}

const Instruction* Hart::instruction_at(Address physical) {
    const Address page = physical & kPageMask;
    const Address offset = physical & ~kPageMask;
    DecodedPage& decoded = fetch_page_.decoded != nullptr && page == fetch_page_.physical_page
                               ? *fetch_page_.decoded
                               : decode_cache_.page(page);
    Instruction& slot = decoded.slots[offset / 2];
    if (slot.execute != nullptr || decode_again(decoded, offset)) {
        return &slot;
    }
    std::uint16_t halves[2] = {};
    const std::byte* bytes = memory_.find(physical, sizeof halves[0], decode_);
    if (bytes == nullptr) {
        return nullptr;
    }
    std::memcpy(halves, bytes, sizeof halves[0]);
    if (length_of(halves[0]) == 2) {
        slot = decode(halves[0], config_.sources);
        return &slot;
    }
    bytes = offset + 4 > 0x1000 ? nullptr : memory_.find(physical, sizeof halves, decode_);
    if (bytes == nullptr) {
        return nullptr;
    }
    std::memcpy(halves, bytes, sizeof halves);
    slot = decode(static_cast<std::uint32_t>(halves[1]) << 16 | halves[0], config_.sources);
    return &slot;
}

/// An instruction whose second half lies in the next virtual page: translated anew every time,
/// since either page may be remapped, and never kept in a slot. A fault reports the second page's
/// address (privileged specification, xtval).
const Instruction* Hart::decode_across_pages(std::uint16_t low) {
    const Address second = pc_ + 2;
    Address physical = second;
    if (privilege_ != Privilege::Machine && csr_.translation_on()) {
        const Translation translation = mmu_.translate(second, Access::Fetch, privilege_);
        if (translation.fault) {
            raise(*translation.fault, second);
            return nullptr;
        }
        physical = translation.physical;
    }
    const bool allowed = config_.memory.contains(physical) &&
                         csr_.pmp().allows(physical, 2, Access::Fetch, privilege_);
    const std::byte* const bytes = allowed ? memory_.find(physical, 2, decode_) : nullptr;
    if (bytes == nullptr) {
        raise(Cause::InstructionAccess, second);
        return nullptr;
    }
    std::uint16_t high = 0;
    std::memcpy(&high, bytes, sizeof(high));
    across_pages_ = decode(static_cast<std::uint32_t>(high) << 16 | low, config_.sources);
    return &across_pages_;
}

} // namespace pes
