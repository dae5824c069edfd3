// SPDX-License-Identifier: Apache-2.0
#include "hw/bus/memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

namespace pes {

namespace {

std::byte* map_pages(std::uint64_t size) {
    if (size == 0) {
        throw std::invalid_argument("memory of 0 bytes, expected at least 1");
    }
    // NORESERVE: an untouched page needs neither RAM nor swap.
    void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::system_error(errno, std::generic_category(),
                                "memory of " + std::to_string(size) + " bytes");
    }
    return static_cast<std::byte*>(pages);
}

} // namespace

Memory::Memory(std::uint64_t size) : size_(size), data_(map_pages(size)) {}

Memory::~Memory() {
    munmap(data_, size_);
}

bool Memory::read(Address offset, void* to, std::size_t length) const {
    if (!contains(offset, length)) {
        return false;
    }
    std::memcpy(to, data_ + offset, length);
    return true;
}

bool Memory::write(Address offset, const void* from, std::size_t length) {
    if (!contains(offset, length)) {
        return false;
    }
    std::memcpy(data_ + offset, from, length);
    return true;
}

} // namespace pes
