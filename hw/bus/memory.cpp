// SPDX-License-Identifier: Apache-2.0
#include "hw/bus/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

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
    madvise(pages, size, MADV_HUGEPAGE); // a wish: guests with much data miss the TLB less
    return static_cast<std::byte*>(pages);
}

} // namespace

Memory::Memory(std::uint64_t size) : size_(size), data_(map_pages(size)) {}

Memory::~Memory() {
    munmap(data_, size_);
}

namespace {

constexpr std::uint64_t kPage = 4096;

/// Consecutive pages.
struct Run {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    void state(Archive& archive) { archive(offset, bytes); }
};

bool all_zeros(std::span<const std::byte> bytes) {
    return bytes.front() == std::byte{0} &&
           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// Tells the pages that the host has never allocated, which are zeros, without looking at them: a
/// look costs more than a page of the guest's data.
class UntouchedPages {
  public:
    explicit UntouchedPages(std::span<const std::byte> memory) : entries_(memory.size() / kPage) {
        const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
        const auto first = reinterpret_cast<std::uintptr_t>(memory.data()) / kPage;
        const std::size_t bytes = entries_.size() * sizeof(std::uint64_t);
        const bool known =
            map >= 0 && sysconf(_SC_PAGESIZE) == kPage &&
            pread(map, entries_.data(), bytes, static_cast<off_t>(first * sizeof(std::uint64_t))) ==
                static_cast<ssize_t>(bytes);
        if (!known) {
            entries_.clear();
        }
        if (map >= 0) {
            close(map);
        }
    }
    bool has(std::uint64_t offset) const {
        constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
        const std::uint64_t page = offset / kPage;
        return page < entries_.size() && (entries_[page] & kPresentOrSwapped) == 0;
    }

  private:
    std::vector<std::uint64_t> entries_; ///< by page; empty: nothing is known
};

std::vector<Run> runs_of(std::span<const std::byte> memory) {
    const UntouchedPages untouched(memory);
    std::vector<Run> runs;
    for (std::uint64_t offset = 0; offset < memory.size(); offset += kPage) {
        const std::uint64_t bytes = std::min(kPage, memory.size() - offset);
        if (untouched.has(offset) || all_zeros(memory.subspan(offset, bytes))) {
            continue;
        }
        if (!runs.empty() && runs.back().offset + runs.back().bytes == offset) {
            runs.back().bytes += bytes;
        } else {
            runs.push_back({.offset = offset, .bytes = bytes});
        }
    }
    return runs;
}

} // namespace

void Memory::state(Archive& archive) {
    std::vector<Run> runs;
    if (archive.saves()) {
        runs = runs_of(bytes());
    }
    archive(runs);
    Address behind = 0; // the last run
    for (const Run& run : runs) {
        if (!contains(run.offset, run.bytes) || run.offset < behind || run.offset % kPage != 0) {
            archive.refuse("it has memory where there is none");
        }
        if (!archive.saves()) {
            clear(behind, run.offset);
        }
        archive.raw(bytes().subspan(run.offset, run.bytes));
        behind = run.offset + run.bytes;
    }
    if (!archive.saves()) {
        clear(behind, size_);
    }
}

/// Whole pages go back to the host. The others are at the end of a memory of another size.
void Memory::clear(Address from, Address to) {
    if (from < to && (from % kPage != 0 || madvise(data_ + from, to - from, MADV_DONTNEED) != 0)) {
        std::memset(data_ + from, 0, to - from);
    }
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
