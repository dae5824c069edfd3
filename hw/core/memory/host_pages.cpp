// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory/host_pages.h"

#include <cstring>
#include <new>
#include <sys/mman.h>

namespace pes {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Where there is no room, the new-handler is asked for some, as operator new does.
std::byte* map_pages(std::size_t bytes) {
    for (;;) {
        void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages != MAP_FAILED) {
            return static_cast<std::byte*>(pages);
        }
        const std::new_handler make_room = std::get_new_handler();
        if (make_room == nullptr) {
            throw std::bad_alloc();
        }
        make_room();
    }
}

/// At a multiple of kLargePage.
std::byte* map_large_pages(std::size_t bytes) {
    std::byte* const mapped = map_pages(bytes + kLargePage);
    const auto number = reinterpret_cast<std::uintptr_t>(mapped);
    const std::size_t before = (kLargePage - number % kLargePage) % kLargePage;
    if (before != 0) {
        munmap(mapped, before);
    }
    munmap(mapped + before + bytes, kLargePage - before);
    madvise(mapped + before, bytes, MADV_HUGEPAGE); // a wish: it works without, only slower
    return mapped + before;
}

} // namespace

HostPages::HostPages(std::size_t bytes, Size size, Copies copies)
    : data_(size == Size::Large && bytes >= kLargePage ? map_large_pages(bytes) : map_pages(bytes),
            Unmap{bytes}) {
    if (copies == Copies::Empty && madvise(data_.get(), bytes, MADV_WIPEONFORK) != 0) {
        throw std::bad_alloc();
    }
}

void HostPages::clear() {
    const std::size_t bytes = data_.get_deleter().bytes;
    if (madvise(data_.get(), bytes, MADV_DONTNEED) != 0) { // memory that is locked
        std::memset(data_.get(), 0, bytes);
    }
}

void HostPages::Unmap::operator()(std::byte* pages) const {
    munmap(pages, bytes);
}

} // namespace pes
