// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/memo_storage.h"

#include <cstdlib>
#include <sys/mman.h>

namespace pes {

namespace {

/// What short programs use; a large page takes a millisecond to be zeroed.
constexpr std::size_t kSmall = std::size_t{2} << 20;

std::byte* map_pages(std::size_t bytes) {
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::bad_alloc();
    }
    auto* const first = static_cast<std::byte*>(pages);
    if (bytes > kSmall) { // a wish: without it everything works, only slower
        madvise(first + kSmall, bytes - kSmall, MADV_HUGEPAGE);
    }
    return first;
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
