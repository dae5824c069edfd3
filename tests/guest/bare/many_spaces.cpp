// SPDX-License-Identifier: Apache-2.0
// A kernel of many processes: supervisor code that runs in SPACES address spaces in turn. It
// is mapped by a global entry, the same in all of them, and a second time at kAlias by an entry
// that is not global.
#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/csr.h"
#include "hw/interface/maps/csr.h"
#include "platform.h"

#include <stdint.h>

namespace pes {

namespace {

constexpr uint64_t kGigabyte = uint64_t{1} << 30;
constexpr uint64_t kKernel = PES_DRAM_BASE; ///< a whole gigabyte from here, mapped to itself
constexpr uint64_t kAlias = kKernel - kGigabyte;
constexpr uint64_t kSv39 = uint64_t{8} << 60;
constexpr unsigned kAsidShift = 44;
constexpr uint64_t kSupervisor = 1;
constexpr unsigned kRounds = 20;
constexpr uint64_t kLeaf = 0xCF; ///< V, R, W, X, A, D
constexpr uint64_t kGlobal = 0x20;
constexpr uint64_t kEverything = 0x1F; ///< pmpcfg0: NAPOT, R, W, X

struct alignas(4096) Table {
    uint64_t entry[512];
};
Table tables[SPACES];

constexpr uint64_t leaf_of(uint64_t physical, uint64_t more) {
    return physical >> 12 << 10 | kLeaf | more;
}

/// 2000 instructions that each have a row in the exact profile.
[[gnu::noinline]] void work_of_kernel() {
    asm volatile(".rept 2000\n"
                 "addi t0, t0, 1\n"
                 ".endr" ::
                     : "t0");
}

/// 20 of those, and a few around them.
[[gnu::noinline]] void work_of_space() {
    asm volatile(".rept 20\n"
                 "addi t0, t0, 1\n"
                 ".endr" ::
                     : "t0");
}

void supervise() {
    const auto work_at_alias =
        reinterpret_cast<void (*)()>(reinterpret_cast<uint64_t>(&work_of_space) - kGigabyte);
    for (unsigned round = 0; round < kRounds; ++round) {
        for (uint64_t space = 0; space < SPACES; ++space) {
            const uint64_t table = reinterpret_cast<uint64_t>(&tables[space]);
            write_csr<csr::kSatp>(kSv39 | (space + 1) << kAsidShift | table >> 12);
            work_of_kernel();
            work_at_alias();
        }
    }
    asm volatile("ecall");
}

[[gnu::aligned(4)]] void back_in_machine_mode() {
    constexpr uint64_t kCallFromSupervisor = 9;
    const uint64_t cause = read_csr<csr::kMcause>();
    finisher_exit(cause == kCallFromSupervisor ? 0 : static_cast<uint32_t>(128 + cause));
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    for (Table& table : tables) {
        table.entry[kKernel / kGigabyte] = leaf_of(kKernel, kGlobal);
        table.entry[kAlias / kGigabyte] = leaf_of(kKernel, 0);
    }
    write_csr<csr::kPmpaddr0>(~uint64_t{0});
    write_csr<csr::kPmpcfg0>(kEverything);
    write_csr<csr::kMtvec>(reinterpret_cast<uint64_t>(&back_in_machine_mode));
    write_csr<csr::kMepc>(reinterpret_cast<uint64_t>(&supervise));
    clear_csr<csr::kMstatus>(kStatusMpp);
    set_csr<csr::kMstatus>(kSupervisor << kStatusMppShift);
    asm volatile("mret");
    return 1;
}
