// SPDX-License-Identifier: Apache-2.0
#include "firmware/proxy/user_memory.h"

namespace pes::proxy {

namespace {

constexpr uint64_t kInPage = kPageSize - 1;

} // namespace

UserMemory::Range* UserMemory::find(uint64_t address) {
    for (unsigned i = 0; i < count_; ++i) {
        if (address >= ranges_[i].start && address < ranges_[i].end) {
            return &ranges_[i];
        }
    }
    return nullptr;
}

bool UserMemory::add(uint64_t start, uint64_t end, Access access) {
    if (count_ == kMost) {
        return false;
    }
    ranges_[count_++] = {.start = start, .end = end, .access = access};
    return true;
}

void UserMemory::give_back(uint64_t start, uint64_t end) {
    for (uint64_t page = start; page < end; page += kPageSize) {
        if (const uint64_t physical = space_.unmap(page); physical != 0) {
            pool_.give_back(physical);
        }
    }
}

bool UserMemory::remove(uint64_t start, uint64_t end) {
    for (unsigned i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        const uint64_t from = start > range.start ? start : range.start;
        const uint64_t to = end < range.end ? end : range.end;
        if (from >= to) {
            continue;
        }
        if (to < range.end && from > range.start && !add(to, range.end, range.access)) {
            return false;
        }
        give_back(from, to);
        if (from > range.start) {
            range.end = from; // what is behind `to` is a range of its own now
        } else if (to < range.end) {
            range.start = to;
        } else {
            range = ranges_[--count_];
            --i;
        }
    }
    return true;
}

bool UserMemory::resize(uint64_t start, uint64_t end) {
    for (unsigned i = 0; i < count_; ++i) {
        if (ranges_[i].start == start) {
            give_back(end, ranges_[i].end);
            ranges_[i].end = end;
            return true;
        }
    }
    return false;
}

bool UserMemory::move(uint64_t from, uint64_t to, uint64_t bytes) {
    const Range* const range = find(to);
    if (range == nullptr) {
        return false;
    }
    for (uint64_t offset = 0; offset < bytes; offset += kPageSize) {
        const uint64_t physical = space_.unmap(from + offset);
        if (physical != 0 && !space_.map(to + offset, physical, kPageSize, range->access)) {
            return false;
        }
    }
    return true;
}

bool UserMemory::touch(uint64_t address) {
    const Range* const range = find(address);
    if (range == nullptr) {
        return false;
    }
    const uint64_t page = pool_.allocate(1);
    out_of_memory_ = page == 0 || !space_.map(address & ~kInPage, page, kPageSize, range->access);
    return !out_of_memory_;
}

UserMemory::Piece UserMemory::piece(uint64_t address, uint64_t bytes, Intent intent) {
    const uint64_t in_page = kPageSize - (address & kInPage);
    uint64_t physical = space_.translate(address, intent);
    if (physical == 0 && space_.translate(address, Intent::Read) == 0 && touch(address)) {
        physical = space_.translate(address, intent);
    }
    return {.physical = physical, .bytes = bytes < in_page ? bytes : in_page};
}

bool UserMemory::copy_in(void* to, uint64_t from, uint64_t bytes) {
    for (auto* place = static_cast<uint8_t*>(to); bytes != 0;) {
        const Piece part = piece(from, bytes, Intent::Read);
        if (part.physical == 0) {
            return false;
        }
        __builtin_memcpy(place, reinterpret_cast<const void*>(part.physical), part.bytes);
        place += part.bytes;
        from += part.bytes;
        bytes -= part.bytes;
    }
    return true;
}

bool UserMemory::copy_out(uint64_t to, const void* from, uint64_t bytes, Intent intent) {
    for (const auto* place = static_cast<const uint8_t*>(from); bytes != 0;) {
        const Piece part = piece(to, bytes, intent);
        if (part.physical == 0) {
            return false;
        }
        __builtin_memcpy(reinterpret_cast<void*>(part.physical), place, part.bytes);
        place += part.bytes;
        to += part.bytes;
        bytes -= part.bytes;
    }
    return true;
}

bool UserMemory::copy_text_in(char* to, uint64_t room, uint64_t from) {
    for (uint64_t i = 0; i < room; ++i) {
        const Piece part = piece(from + i, 1, Intent::Read);
        if (part.physical == 0) {
            return false;
        }
        to[i] = *reinterpret_cast<const char*>(part.physical);
        if (to[i] == '\0') {
            return true;
        }
    }
    return false;
}

} // namespace pes::proxy
