// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/memo_storage.h"

#include <cstdlib>
#include <sys/mman.h>

namespace pes {

namespace {

std::byte* map_pages(std::size_t bytes) {
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::bad_alloc();
    }
    madvise(pages, bytes, MADV_HUGEPAGE); // a wish: without it everything works, only slower
    return static_cast<std::byte*>(pages);
}

} // namespace

LargePages::LargePages(std::size_t bytes) : data_(map_pages(bytes), Unmap{bytes}) {}

void LargePages::Unmap::operator()(std::byte* pages) const {
    munmap(pages, bytes);
}

void Arena::overflow() {
    std::abort(); // the owner has not looked at size()
}

} // namespace pes
