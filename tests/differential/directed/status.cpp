// SPDX-License-Identifier: Apache-2.0
// mstatus: WARL fields, the view of sstatus, and TVM, TW, TSR, MPRV.
#include "directed.h"

namespace {

u64 probe;

/// MPP holds U, S or M; the reserved value 2 is never read back.
void check_previous_privilege() {
    constexpr u64 kModes[] = {User, Supervisor, Machine};
    for (const u64 mode : kModes) {
        CLEAR_CSR(mstatus, kMpp);
        SET_CSR(mstatus, mode << 11);
        CHECK_EQ((READ_CSR(mstatus) & kMpp) >> 11, mode);
    }
    WRITE_CSR(mstatus, (READ_CSR(mstatus) & ~kMpp) | u64{2} << 11);
    CHECK_EQ((READ_CSR(mstatus) & kMpp) >> 11 == 2, 0);
}

/// All-ones and all-zeros leave only what is implemented: no WPRI bit, SXL = UXL = 64 bits.
void check_fields() {
    const u64 before = READ_CSR(mstatus);
    WRITE_CSR(mstatus, ~u64{0} & ~kMprv & ~u64{kMie | kSie});
    const u64 ones = READ_CSR(mstatus);
    WRITE_CSR(mstatus, 0);
    const u64 zeros = READ_CSR(mstatus);
    WRITE_CSR(mstatus, before);
    CHECK_EQ(ones >> 32 & 0xF, 0xA);
    CHECK_EQ(zeros >> 32 & 0xF, 0xA);
    CHECK_EQ(ones & (kTvm | kTw | kTsr | kSum | kMxr), kTvm | kTw | kTsr | kSum | kMxr);
    CHECK_EQ(zeros & 0x7FFFFF, 0);
    constexpr u64 kWpri = 1 << 0 | 1 << 2 | 1 << 4;
    CHECK_EQ(ones & kWpri, 0);
}

/// sstatus is a window on mstatus: the machine's fields are invisible and out of reach.
void check_supervisor_view() {
    constexpr u64 kHidden = kMie | kMpie | kMpp | kMprv | kTvm | kTw | kTsr;
    const u64 before = READ_CSR(mstatus);
    SET_CSR(mstatus, kMpie | kMpp | kTvm | kTw | kTsr);
    CHECK_EQ(READ_CSR(sstatus) & kHidden, 0);
    const u64 machine = READ_CSR(mstatus);
    WRITE_CSR(sstatus, kSum | kMxr | kFs | kHidden);
    CHECK_EQ(READ_CSR(mstatus) & kHidden, machine & kHidden);
    CHECK_EQ(READ_CSR(mstatus) & (kSum | kMxr), kSum | kMxr);
    WRITE_CSR(mstatus, before);
}

void check_virtual_memory_traps() {
    SET_CSR(mstatus, kTvm);
    run_at(Supervisor, [] { probe = PROBE("csrr t0, satp", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(Supervisor, [] { probe = PROBE("csrw satp, zero", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(Supervisor, [] { probe = PROBE("sfence.vma", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    probe = PROBE("csrr t0, satp\nsfence.vma", "r"(0)); // TVM does not concern M mode
    CHECK_NO_TRAP();
    CLEAR_CSR(mstatus, kTvm);
    run_at(Supervisor, [] { probe = PROBE("csrr t0, satp\nsfence.vma", "r"(0)); });
    CHECK_NO_TRAP();
}

void check_return_traps() {
    SET_CSR(mstatus, kTsr);
    run_at(Supervisor, [] { probe = PROBE("sret", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    CLEAR_CSR(mstatus, kTsr);
    run_at(Supervisor, [] {
        SET_CSR(sstatus, kSpp);
        probe = PROBE("lla t0, 2f\ncsrw sepc, t0\nsret\n.insn 2, 0\n2: nop", "r"(0));
    });
    CHECK_NO_TRAP();
}

void check_wait_traps() {
    SET_CSR(mstatus, kTw);
    run_at(Supervisor, [] { probe = PROBE("wfi", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    CLEAR_CSR(mstatus, kTw);
}

/// MPRV: loads and stores with the rights of MPP; mret to a lower mode clears it.
void check_modified_privilege() {
    // PMP entry 0 takes a granule from S and U mode.
    static u64 guarded[2] __attribute__((aligned(16))) = {0x55, 0};
    WRITE_CSR(pmpaddr0, u64(guarded) >> 2 | 1);
    SET_CSR(pmpcfg0, 0x18);
    CLEAR_CSR(mstatus, kMpp);
    probe =
        PROBE("li t0, 1 << 17\ncsrs mstatus, t0\n ld t1, 0(%1)\n csrc mstatus, t0", "r"(guarded));
    CHECK_CAUSE(Machine, LoadAccess);
    SET_CSR(mstatus, kMpp | kMprv); // MPP = M: nothing is modified
    CHECK_EQ(*static_cast<volatile u64*>(guarded), 0x55);
    CHECK_NO_TRAP();
    run_at(User, [] {});
    CHECK_EQ(READ_CSR(mstatus) & kMprv, 0);
    CLEAR_CSR(pmpcfg0, 0x18);
}

void check_other_registers() {
    WRITE_CSR(mepc, 0x8000'0003); // bit 0 is always zero; bit 1 holds with compressed code
    CHECK_EQ(READ_CSR(mepc), 0x8000'0002);
    WRITE_CSR(sepc, 0x8000'0001);
    CHECK_EQ(READ_CSR(sepc), 0x8000'0000);
    const u64 vector = READ_CSR(mtvec);
    WRITE_CSR(mtvec, vector | 2); // reserved mode
    CHECK_EQ((READ_CSR(mtvec) & 3) < 2, 1);
    WRITE_CSR(mtvec, vector);
    const u64 translation = READ_CSR(satp);
    WRITE_CSR(satp, u64{5} << 60 | 0x1234); // unsupported mode: the write has no effect at all
    CHECK_EQ(READ_CSR(satp), translation);
    constexpr u64 kLetters =
        0xF | 1 << 5 | 1 << 8 | 1 << 12 | 1 << 18 | 1 << 20; // A B C D F I M S U
    CHECK_EQ(READ_CSR(misa) & 0x3FF'FFFF, kLetters);
    CHECK_EQ(READ_CSR(misa) >> 62, 2);
    CHECK_EQ(READ_CSR(mhartid), 0);
    WRITE_CSR(mtval, ~u64{0});
    CHECK_EQ(READ_CSR(mtval), ~u64{0});
    CHECK_NO_TRAP();
}

} // namespace

int main() {
    check_previous_privilege();
    check_fields();
    check_supervisor_view();
    check_virtual_memory_traps();
    check_return_traps();
    check_wait_traps();
    check_modified_privilege();
    check_other_registers();
    return failures;
}
