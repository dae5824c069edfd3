// SPDX-License-Identifier: Apache-2.0
// Smctr and Ssctr: control transfer records as software sees them. What a loop with calls, a trap
// and a return leave behind, frozen history, and the call stack of a recursion. All records are
// kept in memory, where a comparison of two runs finds them with their cycle counts.
// Registers by number: the assembler does not know their names.
#include "directed.h"

#define MCTRCTL 0x34E
#define SCTRCTL 0x14E
#define SCTRSTATUS 0x14F
#define SCTRDEPTH 0x15F
#define SISELECT 0x150
#define SIREG 0x151
#define SIREG2 0x152
#define SIREG3 0x153
#define READ(number) READ_CSR(number)
#define WRITE(number, value) WRITE_CSR(number, value)
#define SET(number, value) SET_CSR(number, value)
#define CLEAR(number, value) CLEAR_CSR(number, value)

namespace {

constexpr u64 kU = 1, kS = 2, kM = 4, kRasEmu = 1 << 7, kSte = 1 << 8, kMte = 1 << 9,
              kBpFrz = 1 << 11, kLcofiFrz = 1 << 12, kNtbrEn = u64{1} << 36;
constexpr u64 kInhibitTaken = u64{1} << 37;
constexpr u64 kFrozen = u64{1} << 31;
constexpr u64 kFirstSelect = 0x200, kEntries = 256;
constexpr u64 kLcofi = 1 << 13;
u64 probe;

struct Record {
    u64 source, target, data;
};

/// What each check has read, for whoever compares memory.
Record kept[16][kEntries];
unsigned keeps;

void clear() {
    asm volatile(".insn 4, 0x10400073" ::: "memory");
}

Record record_at(u64 logical) {
    WRITE(SISELECT, kFirstSelect + logical);
    return {READ(SIREG), READ(SIREG2), READ(SIREG3)};
}

/// Reads all records with recording off. Returns how many are valid.
u64 keep() {
    WRITE(MCTRCTL, 0);
    u64 valid = 0;
    for (u64 logical = 0; logical < kEntries; ++logical) {
        kept[keeps][logical] = record_at(logical);
        valid += kept[keeps][logical].source & 1;
    }
    ++keeps;
    return valid;
}

void check_record(unsigned line, u64 logical, u64 source, u64 target, u64 type) {
    const Record& record = kept[keeps - 1][logical];
    check_equal(line, "ctrsource", record.source, source | 1);
    check_equal(line, "ctrtarget", record.target & ~u64{1}, target);
    check_equal(line, "TYPE", record.data & 0xF, type);
}
#define CHECK_RECORD(logical, source, target, type)                                                \
    check_record(__LINE__, logical, u64(source), u64(target), type)

void check_legal_values() {
    WRITE(MCTRCTL, ~u64{0});
    CHECK_EQ(READ(MCTRCTL), 0xFF3E'0000'1B87);
    CHECK_EQ(READ(SCTRCTL), 0xFF3E'0000'1983);
    WRITE(SCTRCTL, 0);
    CHECK_EQ(READ(MCTRCTL), kM | kMte);
    WRITE(MCTRCTL, 0);
    for (u64 depth = 0; depth < 8; ++depth) {
        WRITE(SCTRDEPTH, depth);
        CHECK_EQ(READ(SCTRDEPTH), depth <= 4 ? depth : 4);
    }
    WRITE(SCTRSTATUS, ~u64{0});
    CHECK_EQ(READ(SCTRSTATUS), kFrozen | 0xFF);
    WRITE(SCTRSTATUS, 0);
}

void check_rights() {
    run_at(User, [] { probe = PROBE(".insn 4, 0x10400073", "r"(0)); });
    CHECK_TRAP(Machine, Illegal, probe, last_trap.tval == 0 ? 0 : 0x1040'0073);
    run_at(Supervisor, [] { probe = PROBE(".insn 4, 0x10400073", "r"(0)); });
    CHECK_NO_TRAP();
    run_at(Supervisor, [] { probe = PROBE("csrr t0, 0x34E", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
    run_at(User, [] { probe = PROBE("csrr t0, 0x14F", "r"(0)); });
    CHECK_CAUSE(Machine, Illegal);
}

extern "C" char loop_call[], loop_call_register[], loop_leaf[], loop_return[], loop_branch[],
    loop_top[], loop_jump[], loop_behind[];

/// Three turns of: a call, a call through a register, a jump, a branch back.
[[gnu::noinline]] void loop_with_calls() {
    asm volatile(".option push\n"
                 ".option norvc\n"
                 "li t1, 3\n"
                 "lla t2, loop_leaf\n"
                 "mv t3, ra\n"
                 ".globl loop_top, loop_call, loop_call_register, loop_jump, loop_branch\n"
                 ".globl loop_leaf, loop_return, loop_behind\n"
                 "loop_top:\n"
                 "loop_call: jal ra, loop_leaf\n"
                 "loop_call_register: jalr ra, t2, 0\n"
                 "loop_jump: j 1f\n"
                 "nop\n"
                 "1: addi t1, t1, -1\n"
                 "loop_branch: bnez t1, loop_top\n"
                 "loop_behind: j 2f\n"
                 "loop_leaf: nop\n"
                 "loop_return: ret\n"
                 "2: mv ra, t3\n"
                 ".option pop" ::
                     : "t1", "t2", "t3", "ra", "memory");
}

constexpr u64 kIndirectCall = 8, kDirectCall = 9, kDirectJump = 11, kReturn = 13, kTaken = 5,
              kNotTaken = 4;

void check_loop() {
    clear();
    WRITE(MCTRCTL, kU | kNtbrEn);
    run_at(User, loop_with_calls);
    const u64 valid = keep();
    // Behind the loop: the function's return and, filtered out, an external trap.
    CHECK_EQ(valid, 3 * 6 + 2);
    CHECK_RECORD(1, loop_behind, loop_return + 4, kDirectJump);
    CHECK_RECORD(2, loop_branch, loop_behind, kNotTaken);
    CHECK_RECORD(3, loop_jump, loop_jump + 8, kDirectJump);
    CHECK_RECORD(4, loop_return, loop_jump, kReturn);
    CHECK_RECORD(5, loop_call_register, loop_leaf, kIndirectCall);
    CHECK_RECORD(6, loop_return, loop_call_register, kReturn);
    CHECK_RECORD(7, loop_call, loop_leaf, kDirectCall);
    CHECK_RECORD(8, loop_branch, loop_top, kTaken);
    CHECK_RECORD(19, loop_call, loop_leaf, kDirectCall);
    CHECK_EQ(kept[keeps - 1][2].target & 1, 1); // the exit was not predicted
    CHECK_EQ(kept[keeps - 1][19].data >> 15 & 1, 0);
    CHECK_EQ(kept[keeps - 1][18].data >> 15 & 1, 1);
}

void check_filters() {
    clear();
    WRITE(MCTRCTL, kU | kInhibitTaken | u64{1} << (32 + kReturn) | u64{1} << (32 + kDirectJump));
    run_at(User, loop_with_calls);
    CHECK_EQ(keep(), 6);
    for (u64 logical = 0; logical < 6; ++logical) {
        CHECK_EQ(kept[keeps - 1][logical].data & 0xF,
                 logical % 2 == 0 ? kIndirectCall : kDirectCall);
    }
}

void check_traps() {
    // The way to the lower mode starts in a mode that is not enabled: it is not recorded.
    clear();
    WRITE(MCTRCTL, kU | kSte | kMte);
    run_at(User, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_CAUSE(Machine, Breakpoint);
    u64 valid = keep();
    CHECK_EQ(valid, 3); // ebreak, the function's return, the ecall that ends it
    CHECK_RECORD(2, probe, 0, 1);
    CHECK_EQ(kept[keeps - 1][0].target, 0);
    CHECK_EQ(kept[keeps - 1][0].data & 0xF, 1);

    // Delegated: within S and U everything is told.
    WRITE_CSR(medeleg, u64{1} << Breakpoint);
    clear();
    WRITE(MCTRCTL, kU | kS);
    run_at(User, [] { probe = PROBE("ebreak", "r"(0)); });
    CHECK_CAUSE(Supervisor, Breakpoint);
    keep();
    u64 logical = 0;
    while (logical < kEntries && (kept[keeps - 1][logical].data & 0xF) != 1) {
        ++logical;
    }
    CHECK_RECORD(logical, probe, supervisor_entry, 1);
    bool returned = false;
    for (u64 newer = 0; newer < logical; ++newer) {
        returned = returned || ((kept[keeps - 1][newer].data & 0xF) == 3 &&
                                kept[keeps - 1][newer].target == probe + 4);
    }
    CHECK_EQ(returned, 1);
    WRITE_CSR(medeleg, 0);
}

/// BPFRZ: the transfers before the breakpoint stay, nothing is added.
void check_breakpoint_freeze() {
    clear();
    WRITE(MCTRCTL, kU | kM | kBpFrz);
    run_at(User, [] {
        loop_with_calls();
        probe = PROBE("ebreak", "r"(0));
        loop_with_calls();
    });
    CHECK_CAUSE(Machine, Breakpoint);
    CHECK_EQ(READ(SCTRSTATUS) & kFrozen, kFrozen);
    keep();
    // The newest one is the return of loop_with_calls().
    CHECK_RECORD(1, loop_behind, loop_return + 4, kDirectJump);
    CLEAR(SCTRSTATUS, kFrozen);
    CHECK_EQ(READ(SCTRSTATUS) & kFrozen, 0);
}

/// LCOFIFRZ: what led to a sample.
void check_overflow_freeze() {
    constexpr u64 kNotMachine = u64{1} << 62, kTakenBranches = 5;
    static u64 turns;
    clear();
    WRITE_CSR(mhpmevent3, kNotMachine | kTakenBranches);
    WRITE_CSR(mhpmcounter3, ~u64{0} - 20);
    SET_CSR(mie, kLcofi);
    WRITE(MCTRCTL, kU | kM | kLcofiFrz);
    run_at(User, [] {
        turns = 100;
        asm volatile("1: addi %0, %0, -1\nld t0, 0(sp)\nbnez %0, 1b" : "+r"(turns)::"t0");
    });
    CHECK_CAUSE(Machine, kInterrupt | 13);
    CHECK_EQ(READ(SCTRSTATUS) & kFrozen, kFrozen);
    const u64 sampled = last_trap.epc;
    const u64 valid = keep();
    CHECK_EQ(valid > 15 && valid < 40, 1);
    for (u64 logical = 0; logical < 15; ++logical) {
        const Record& record = kept[keeps - 1][logical];
        CHECK_EQ(record.data & 0xF, kTaken);
        CHECK_EQ(record.source - record.target < 16, 1); // the loop's
    }
    CHECK_EQ(sampled - kept[keeps - 1][0].target <= 16, 1);
    CLEAR_CSR(mie, kLcofi);
    CLEAR_CSR(mip, kLcofi);
    WRITE_CSR(mhpmevent3, 0);
    CLEAR(SCTRSTATUS, kFrozen);
}

extern "C" char recursive_call[];
extern "C" void recurse(u64 depth, void (*bottom)());
asm(".option push\n"
    ".option norvc\n"
    ".globl recurse, recursive_call\n"
    "recurse: addi sp, sp, -16\n"
    "sd ra, 0(sp)\n"
    "beqz a0, 1f\n"
    "addi a0, a0, -1\n"
    "recursive_call: jal ra, recurse\n"
    "j 2f\n"
    "1: jalr a1\n"
    "2: ld ra, 0(sp)\n"
    "addi sp, sp, 16\n"
    "ret\n"
    ".option pop");

constexpr u64 kDepth = 9;
u64 stack[kDepth + 4];

/// The stack at the bottom of the recursion, read with recording off.
void read_stack() {
    CLEAR(SCTRCTL, kS);
    for (u64 logical = 0; logical < kDepth + 4; ++logical) {
        WRITE(SISELECT, kFirstSelect + logical);
        stack[logical] = READ(SIREG);
    }
    SET(SCTRCTL, kS);
}

/// RASEMU: calls that have not returned.
void check_call_stack() {
    clear();
    WRITE(SCTRSTATUS, 0);
    WRITE(MCTRCTL, kS | kRasEmu);
    run_at(Supervisor, [] {
        loop_with_calls();
        recurse(kDepth, [] {
            loop_with_calls();
            read_stack();
        });
    });
    CHECK_NO_TRAP();
    // Newest first: read_stack() if it is not inlined, the bottom, then the recursion.
    u64 first = 0;
    while (first < 4 && stack[first] != (u64(recursive_call) | 1)) {
        CHECK_EQ(stack[first] & 1, 1);
        ++first;
    }
    CHECK_EQ(first >= 1 && first <= 2, 1);
    for (u64 logical = first; logical < first + kDepth; ++logical) {
        CHECK_EQ(stack[logical], u64(recursive_call) | 1);
    }
    CHECK_EQ(stack[first + kDepth] == (u64(recursive_call) | 1), 0);
    // Everything has returned; the return to run_at() was one too many.
    CHECK_EQ(keep(), 0);
    CHECK_EQ(READ(SCTRSTATUS), 0xFF);
}

} // namespace

int main() {
    check_legal_values();
    check_rights();
    check_loop();
    check_filters();
    check_traps();
    check_breakpoint_freeze();
    check_overflow_freeze();
    check_call_stack();
    return failures;
}
