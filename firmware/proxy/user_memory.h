// SPDX-License-Identifier: Apache-2.0
// What the program may use of its address space: ranges of pages, which get memory when they are
// touched, and how the kernel reads and writes there. Addresses are the program's.
#pragma once

#include "firmware/supervisor/address_space.h"

#include <stdint.h>

namespace pes::proxy {

class UserMemory {
  public:
    UserMemory(PagePool& pool, AddressSpace& space) : pool_(pool), space_(space) {}

    /// Whole pages, which read as 0. False: there are too many ranges.
    bool add(uint64_t start, uint64_t end, Access access);
    /// Takes pages out, whether they are there or not. False: there are too many ranges.
    bool remove(uint64_t start, uint64_t end);
    /// Moves the end of the range that begins there; pages behind it are given back.
    bool resize(uint64_t start, uint64_t end);
    /// Moves what is in the pages of `from` to those of `to`, which have nothing yet. False: no
    /// memory is left for page tables.
    bool move(uint64_t from, uint64_t to, uint64_t bytes);
    /// Makes the page there, if the program may have it. False: it may not, or no memory is left.
    bool touch(uint64_t address);
    bool out_of_memory() const { return out_of_memory_; }

    /// A part of [address, address + bytes) that lies in one page; physical 0: not the program's.
    struct Piece {
        uint64_t physical;
        uint64_t bytes;
    };
    Piece piece(uint64_t address, uint64_t bytes, Intent intent);

    bool copy_in(void* to, uint64_t from, uint64_t bytes);
    /// With Intent::Read also into pages that the program only reads: its segments.
    bool copy_out(uint64_t to, const void* from, uint64_t bytes, Intent intent = Intent::Write);
    /// A text with its NUL. False: it is longer, or not the program's.
    bool copy_text_in(char* to, uint64_t room, uint64_t from);

  private:
    static constexpr unsigned kMost = 1024;
    struct Range {
        uint64_t start;
        uint64_t end;
        Access access;
    };

    Range* find(uint64_t address);
    void give_back(uint64_t start, uint64_t end);

    PagePool& pool_;
    AddressSpace& space_;
    Range ranges_[kMost];
    unsigned count_ = 0;
    bool out_of_memory_ = false;
};

} // namespace pes::proxy
