// SPDX-License-Identifier: Apache-2.0
#include "hw/common/register_block.h"

#include "hw/common/module_logger.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pes {

namespace {

constexpr unsigned kWord = 4; // bytes: the smallest part of a register with RegisterParts::Words

std::uint64_t mask_of(unsigned bytes) {
    return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
}

bool is_access_size(unsigned bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

Address end_of(const Register& definition) {
    return definition.offset + Address{definition.count - 1} * definition.stride + definition.width;
}

AccessStatus check_part(const Register& definition, Address within, unsigned size) {
    if (size == definition.width && within == 0) {
        return AccessStatus::Ok;
    }
    switch (definition.parts) {
    case RegisterParts::Whole:
        return within == 0 ? AccessStatus::SizeError : AccessStatus::AddressError;
    case RegisterParts::Low:
        if (within != 0) {
            return AccessStatus::AddressError;
        }
        return size < definition.width ? AccessStatus::Ok : AccessStatus::SizeError;
    case RegisterParts::Words:
        if (within % kWord != 0) {
            return AccessStatus::AddressError;
        }
        return size == kWord && size < definition.width ? AccessStatus::Ok
                                                        : AccessStatus::SizeError;
    case RegisterParts::High:
        if (!is_access_size(definition.width - static_cast<unsigned>(within))) {
            return AccessStatus::AddressError;
        }
        return within + size == definition.width ? AccessStatus::Ok : AccessStatus::SizeError;
    }
    return AccessStatus::AddressError;
}

const char* text_of(AccessStatus status) {
    switch (status) {
    case AccessStatus::Ok:
        return "accepted";
    case AccessStatus::AddressError:
        return "no register starts there";
    case AccessStatus::SizeError:
        return "not an access of this size";
    case AccessStatus::RightsError:
        return "the register does not allow it";
    }
    return "refused";
}

} // namespace

void RegisterBlock::check(const Register& definition, const std::string& block,
                          std::uint64_t size) {
    const std::string who = block + "." + definition.name + ": ";
    if (!is_access_size(definition.width) || definition.offset % definition.width != 0 ||
        definition.stride % definition.width != 0) {
        throw std::invalid_argument(who + "a register is 1, 2, 4 or 8 bytes and aligned to that");
    }
    if (definition.count == 0 || definition.stride < definition.width) {
        throw std::invalid_argument(who + "an array has elements that do not overlap");
    }
    if (end_of(definition) > size) {
        throw std::invalid_argument(who + "lies beyond the end of the block");
    }
    const bool written = definition.write || definition.write_part;
    if (written && definition.rights == RegisterRights::ReadOnly) {
        throw std::invalid_argument(who + "read-only, yet it has a write method");
    }
    if (definition.peek && !definition.read) {
        throw std::invalid_argument(who + "a peek method stands in for a read method");
    }
    if (definition.read && !written && definition.rights != RegisterRights::ReadOnly) {
        throw std::invalid_argument(who + "computed and writable, yet it has no write method");
    }
    const bool high = definition.parts == RegisterParts::High;
    if (high != static_cast<bool>(definition.write_part) ||
        (high && (!definition.read || definition.write))) {
        throw std::invalid_argument(who + "its high parts are for a computed register whose only "
                                          "write method is write_part, and write_part for them");
    }
}

RegisterBlock::RegisterBlock(std::string name, std::uint64_t size, std::vector<Register> registers)
    : name_(std::move(name)), size_(size), log_(module_logger(name_)) {
    entries_.reserve(registers.size());
    for (Register& definition : registers) {
        if (definition.stride == 0) {
            definition.stride = definition.width;
        }
        check(definition, name_, size_);
        Entry entry{std::move(definition), values_.size()};
        if (!entry.definition.read) {
            values_.resize(values_.size() + entry.definition.count, entry.definition.reset);
        }
        entries_.push_back(std::move(entry));
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.definition.offset < b.definition.offset;
    });
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        const Register& before = entries_[i - 1].definition;
        const Register& after = entries_[i].definition;
        if (end_of(before) > after.offset) {
            throw std::invalid_argument(name_ + ": registers " + before.name + " and " +
                                        after.name + " overlap");
        }
    }
}

RegisterBlock::Hit RegisterBlock::find(Address offset, unsigned size) const {
    if (latest_.offset != offset || latest_.size != size) {
        const Hit hit = look_up(offset, size);
        if (hit.status != AccessStatus::Ok) {
            return hit;
        }
        latest_ = {.offset = offset, .size = size, .hit = hit};
    }
    return latest_.hit;
}

RegisterBlock::Hit RegisterBlock::look_up(Address offset, unsigned size) const {
    Hit hit;
    if (!is_access_size(size)) {
        hit.status = AccessStatus::SizeError;
        return hit;
    }
    const auto above = std::upper_bound(
        entries_.begin(), entries_.end(), offset,
        [](Address wanted, const Entry& entry) { return wanted < entry.definition.offset; });
    if (above == entries_.begin()) {
        hit.status = AccessStatus::AddressError;
        return hit;
    }
    const Entry& entry = *std::prev(above);
    const Register& definition = entry.definition;
    const Address distance = offset - definition.offset;
    const Address index = definition.count == 1 ? 0 : distance / definition.stride;
    const Address within = distance - index * definition.stride;
    if (index >= definition.count || within >= definition.width) {
        hit.status = AccessStatus::AddressError;
        return hit;
    }
    hit.entry = &entry;
    hit.index = static_cast<unsigned>(index);
    hit.shift = static_cast<unsigned>(8 * within);
    hit.status = check_part(definition, within, size);
    return hit;
}

std::uint64_t RegisterBlock::current(const Hit& hit, Cycle at) const {
    const Register& definition = hit.entry->definition;
    if (definition.peek) {
        return definition.peek(hit.index, at);
    }
    if (definition.read) {
        return definition.read(hit.index, at);
    }
    return values_[hit.entry->storage + hit.index];
}

AccessStatus RegisterBlock::refuse(AccessStatus status, const Hit& hit, std::string_view what,
                                   Address offset, unsigned size) const {
    log_->warn("{} of {} bytes at offset {:#x} ({}): {}", what, size, offset,
               hit.entry != nullptr ? hit.entry->definition.name : "no register", text_of(status));
    return status;
}

AccessStatus RegisterBlock::read(Address offset, unsigned size, std::uint64_t& value, Cycle at) {
    const Hit hit = find(offset, size);
    if (hit.status != AccessStatus::Ok) {
        return refuse(hit.status, hit, "read", offset, size);
    }
    const Register& definition = hit.entry->definition;
    if (definition.rights == RegisterRights::WriteOnly) {
        return refuse(AccessStatus::RightsError, hit, "read", offset, size);
    }
    const std::uint64_t whole = definition.read ? definition.read(hit.index, at) : current(hit, at);
    value = (whole >> hit.shift) & mask_of(size);
    return AccessStatus::Ok;
}

AccessStatus RegisterBlock::write(Address offset, unsigned size, std::uint64_t value, Cycle at) {
    const Hit hit = find(offset, size);
    if (hit.status != AccessStatus::Ok) {
        return refuse(hit.status, hit, "write", offset, size);
    }
    const Register& definition = hit.entry->definition;
    if (definition.rights == RegisterRights::ReadOnly) {
        return refuse(AccessStatus::RightsError, hit, "write", offset, size);
    }
    if (definition.write_part) {
        definition.write_part(hit.index, size, value & mask_of(size), at);
        return AccessStatus::Ok;
    }
    const bool whole = size == definition.width || definition.parts == RegisterParts::Low;
    const std::uint64_t lanes = whole ? ~std::uint64_t{0} : mask_of(size) << hit.shift;
    const std::uint64_t mask = lanes & definition.write_mask;
    std::uint64_t merged = ((value & mask_of(size)) << hit.shift) & mask;
    if (mask != ~std::uint64_t{0}) {
        merged |= current(hit, at) & ~mask;
    }
    if (!definition.read) {
        values_[hit.entry->storage + hit.index] = merged & mask_of(definition.width);
    }
    if (definition.write) {
        definition.write(hit.index, merged & mask_of(definition.width), at);
    }
    return AccessStatus::Ok;
}

AccessStatus RegisterBlock::peek(Address offset, unsigned size, std::uint64_t& value,
                                 Cycle at) const {
    const Hit hit = find(offset, size);
    if (hit.status != AccessStatus::Ok) {
        return hit.status;
    }
    value = (current(hit, at) >> hit.shift) & mask_of(size);
    return AccessStatus::Ok;
}

AccessStatus RegisterBlock::poke(Address offset, unsigned size, std::uint64_t value) {
    const Hit hit = find(offset, size);
    if (hit.status != AccessStatus::Ok) {
        return hit.status;
    }
    const Register& definition = hit.entry->definition;
    if (definition.read || definition.write || definition.rights == RegisterRights::ReadOnly) {
        return AccessStatus::RightsError;
    }
    const std::uint64_t mask = (mask_of(size) << hit.shift) & definition.write_mask;
    std::uint64_t& stored = values_[hit.entry->storage + hit.index];
    stored = (stored & ~mask) | ((value << hit.shift) & mask);
    return AccessStatus::Ok;
}

void RegisterBlock::reset() {
    for (const Entry& entry : entries_) {
        if (!entry.definition.read) {
            std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(entry.storage),
                        entry.definition.count, entry.definition.reset);
        }
    }
}

std::uint64_t RegisterBlock::stored(Address offset) const {
    const Hit hit = find(offset, 1);
    if (hit.entry == nullptr || hit.entry->definition.read) {
        throw std::invalid_argument(name_ + ": no storage register at this offset");
    }
    return values_[hit.entry->storage + hit.index];
}

} // namespace pes
