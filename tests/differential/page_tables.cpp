// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/page_tables.h"

#include "tests/differential/layout.h"
#include "tests/differential/values.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace pes::differential {
namespace {

// Sv39 page-table entry, privileged specification section 4.3.
constexpr std::uint64_t kValid = 1 << 0;
constexpr std::uint64_t kRead = 1 << 1;
constexpr std::uint64_t kWrite = 1 << 2;
constexpr std::uint64_t kExecute = 1 << 3;
constexpr std::uint64_t kUser = 1 << 4;
constexpr std::uint64_t kGlobal = 1 << 5;
constexpr std::uint64_t kAccessed = 1 << 6;
constexpr std::uint64_t kDirty = 1 << 7;
constexpr std::uint64_t kFull = kValid | kRead | kWrite | kExecute | kAccessed | kDirty;

constexpr unsigned kEntries = 512;
constexpr unsigned kLeafEntries = 64;   ///< of the leaf table, that random addresses reach
constexpr unsigned kMiddleEntries = 16; ///< of the middle table
constexpr std::uint64_t kDram = 0x8000'0000;
constexpr std::uint64_t kMegapage = 0x20'0000;

constexpr std::uint64_t entry(std::uint64_t physical, std::uint64_t flags) {
    return physical >> 12 << 10 | flags;
}

std::uint64_t random_leaf_flags(Random& random) {
    // R, W, X in all combinations; W without R is reserved and must fault.
    return kValid | kAccessed | kDirty | random.below(8) << 1 | (random.one_in(2) ? kUser : 0) |
           (random.one_in(4) ? kGlobal : 0) | random.below(4) << 8;
}

/// An entry for a table whose leaves are aligned to `size`; `target` is a properly aligned address.
std::uint64_t random_entry(Random& random, std::uint64_t target, std::uint64_t size) {
    switch (random.below(12)) {
    case 0: // invalid, whatever the rest says
        return random.bits() & ~kValid;
    case 1: // a superpage that is not aligned; on the last level, an ordinary page
        return entry(size == layout::kPageSize ? target : target + layout::kPageSize,
                     random_leaf_flags(random) | kRead);
    case 2: // reserved bits 60..54
        return entry(target, kFull) | std::uint64_t{1} << random.between(54, 60);
    case 3: // N and PBMT, reserved without Svnapot and Svpbmt
        return entry(target, kFull) | std::uint64_t{1} << random.between(61, 63);
    case 4: // a pointer on the last level; above it QEMU misreports what an unreadable table is
        return size == layout::kPageSize ? entry(layout::kHole, kValid) : 0;
    case 5: // a leaf over nothing
        return entry(layout::kHole & ~(size - 1), kFull | (random.one_in(2) ? kUser : 0));
    default: {
        std::uint64_t flags = random_leaf_flags(random);
        if ((flags & (kRead | kWrite | kExecute)) == 0) { // would be a pointer
            flags |= kRead;
        }
        return entry(target, flags);
    }
    }
}

std::uint64_t random_leaf_entry(Random& random) {
    const std::uint64_t page =
        layout::kScratch + random.below(layout::kScratchPages) * layout::kPageSize;
    return random_entry(random, page, layout::kPageSize);
}

std::uint64_t random_middle_entry(Random& random) {
    return random_entry(random, kDram, kMegapage);
}

void emit_entries(Emitter& out, unsigned used, unsigned total,
                  const std::function<std::uint64_t(unsigned)>& value) {
    for (unsigned index = 0; index < used; ++index) {
        out.line(".dword {:#x}", value(index));
    }
    out.line(".zero {}", (total - used) * 8);
}

/// A virtual address in the random region whose page offset stays in what checksums cover.
std::uint64_t random_address(Random& random) {
    const std::uint64_t offset = random.below(layout::kHashedBytes / 8) * 8;
    const std::uint64_t scratch =
        layout::kScratch - kDram + random.below(layout::kScratchPages) * layout::kPageSize + offset;
    switch (random.below(8)) {
    case 0: // through a 2 MiB entry
        return layout::kRandomRegion + random.between(1, kMiddleEntries - 1) * kMegapage + scratch;
    case 1: // through the gigapage
        return layout::kRandomGigapage + scratch;
    case 2: // somewhere no table reaches
        return std::uint64_t{1} << 37 | offset;
    case 3: // the wrong sign extension
        return layout::kRandomRegion | std::uint64_t{1} << random.between(39, 63);
    default:
        return layout::kRandomRegion + random.below(kLeafEntries) * layout::kPageSize + offset;
    }
}

void emit_random_region_jump(Emitter& out) {
    const unsigned back = out.new_label();
    const unsigned base = out.work_register();
    std::uint64_t address = random_address(out.random);
    if (address >> 39 != 0) { // mepc need not hold an address that cannot be translated
        address = layout::kRandomRegion;
    }
    address = address / layout::kPageSize * layout::kPageSize + layout::kStubOffset;
    out.line("lla tp, .L{}", back);
    out.line("li x{}, {:#x}", base, address);
    out.line("jalr x{}, 0(x{})", out.destination(), base);
    out.label(back);
}

} // namespace

void emit_page_tables(Emitter& out) {
    Random& random = out.random;
    out.line(".section .tables, \"aw\"");
    emit_entries(out, 6, kEntries, [&](unsigned index) -> std::uint64_t {
        switch (index) {
        case 2:
            return entry(kDram, kFull);
        case 3:
            return entry(kDram, kFull | kUser);
        case 4:
            return entry(layout::kMiddleTable, kValid);
        case 5:
            return random_entry(random, kDram, std::uint64_t{1} << 30);
        default:
            return random.bits() & ~kValid;
        }
    });
    emit_entries(out, kMiddleEntries, kEntries, [&](unsigned index) {
        return index == 0 ? entry(layout::kLeafTable, kValid) : random_middle_entry(random);
    });
    emit_entries(out, kLeafEntries, kEntries, [&](unsigned) { return random_leaf_entry(random); });
}

void emit_change_random_entry(Emitter& out) {
    Random& random = out.random;
    const auto [base, value] = out.two_work_registers();
    if (random.one_in(4)) {
        out.line("li x{}, {:#x}", base,
                 layout::kMiddleTable + 8 * random.between(1, kMiddleEntries - 1));
        out.line("li x{}, {:#x}", value, random_middle_entry(random));
    } else {
        out.line("li x{}, {:#x}", base, layout::kLeafTable + 8 * random.below(kLeafEntries));
        out.line("li x{}, {:#x}", value, random_leaf_entry(random));
    }
    out.line("sd x{}, 0(x{})", value, base);
}

void emit_random_region_load_store(Emitter& out) {
    constexpr std::string_view kAligned[] = {"lb", "lhu", "lw", "ld", "sb", "sh", "sw", "sd"};
    Random& random = out.random;
    const unsigned base = out.work_register();
    out.line("li x{}, {:#x}", base, random_address(random));
    if (random.one_in(6)) {
        out.line("{} f{}, 0(x{})", random.one_in(2) ? "fld" : "fsd", out.float_register(), base);
    } else {
        out.line("{} x{}, 0(x{})", random.pick(kAligned), out.destination(), base);
    }
}

void emit_random_region_access(Emitter& out) {
    if (out.random.one_in(4)) {
        emit_random_region_jump(out);
    } else {
        emit_random_region_load_store(out);
    }
}

} // namespace pes::differential
