// SPDX-License-Identifier: Apache-2.0
// The counters of the older CV32E40P (profiles cv32e40p and cv32e40p-asic), as software sees them:
// the registers that are there and those that are not, saturation and wrap, the write-all
// register, and a loop whose events are known. SHARED is 1 for the ASIC variant. The exit code says
// which step failed.
#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/csr.h"
#include "hw/interface/maps/csr.h"

#include <stdint.h>

namespace pes {

namespace {

constexpr bool kShared = SHARED != 0;
constexpr uint64_t kRounds = 100;
constexpr uint64_t kLargest = 0xFFFF'FFFF;
constexpr uint32_t kIllegalInstruction = 2;

enum Step : uint32_t {
    kReset = 1,
    kAbsent,
    kReadOnly,
    kWriteAll,
    kAliases,
    kEventByEvent,
    kUnion,
    kSaturates,
    kWraps,
    kDisabled,
};

/// Bits of PCER (hw/interface/pmu/profile_cv32e40p.h).
enum Bit : uint8_t {
    Cycles = 0,
    Instructions = 1,
    Loads = 5,
    Stores = 6,
    Jumps = 7,
    Branches = 8,
    Taken = 9,
    Compressed = 10,
    TcdmContention = 15,
};

constexpr uint64_t bit(Bit event) {
    return uint64_t{1} << event;
}

volatile uint64_t words[2];
volatile uint64_t trap_cause;

/// Steps over the instruction, which is a CSR access and so has 4 bytes.
[[gnu::interrupt("machine"), gnu::aligned(4)]] void step_over() {
    trap_cause = read_csr<csr::kMcause>();
    write_csr<csr::kMepc>(read_csr<csr::kMepc>() + 4);
}

template <uint16_t Number>
bool read_traps() {
    trap_cause = 0;
    (void)read_csr<Number>();
    return trap_cause == kIllegalInstruction;
}

template <uint16_t Number>
bool write_traps() {
    trap_cause = 0;
    write_csr<Number>(0);
    return trap_cause == kIllegalInstruction;
}

template <unsigned Index>
uint64_t counter() {
    return read_csr<csr::kPccr0 + Index>();
}

/// The counters run from behind the first CSR write to the last one, which is counted. Each round:
/// a load, a store, one compressed instruction, a branch that is not taken, a jump, and the branch
/// back.
void loop() {
    uint64_t rounds = kRounds;
    asm volatile(".option push\n"
                 ".option norvc\n"
                 "csrw %[mode], %[on]\n"
                 "1: ld t0, 0(%[words])\n"
                 "sd t0, 8(%[words])\n"
                 ".option rvc\n"
                 "c.nop\n"
                 ".option norvc\n"
                 "bne zero, zero, 1b\n"
                 "j 2f\n"
                 "2: addi %[rounds], %[rounds], -1\n"
                 "bne %[rounds], zero, 1b\n"
                 "csrw %[mode], zero\n"
                 ".option pop"
                 : [rounds] "+r"(rounds)
                 : [mode] "i"(csr::kPcmr),
                   [on] "r"(uint64_t{csr::kPcmrEnable | csr::kPcmrSaturate}), [words] "r"(words)
                 : "t0", "memory");
}
constexpr uint64_t kLoopInstructions = 7 * kRounds + 1;

void count(uint64_t events) {
    write_csr<csr::kPcmr>(0);
    write_csr<csr::kPcer>(events);
    write_csr<csr::kPccr31>(0);
    loop();
}

void check_registers() {
    expect(read_csr<csr::kPcmr>() == 3 && read_csr<csr::kPcer>() == 0, kReset);
    expect(read_traps<csr::kMcycle>() && read_traps<csr::kMinstret>() &&
               read_traps<csr::kMhpmcounter3>() && read_traps<csr::kMhpmevent3>() &&
               read_traps<csr::kMcountinhibit>() && read_traps<csr::kMhpmthreshold3>() &&
               read_traps<csr::kMhpmmmaped>() && read_traps<csr::kScountovf>() &&
               read_traps<csr::kCycle>() && read_traps<csr::kInstret>(),
           kAbsent);
    expect(write_traps<csr::kUserPcmr>() && write_traps<csr::kUserPcer>() &&
               write_traps<csr::kUserPccr0>(),
           kReadOnly);
    write_csr<csr::kPccr31>(0x1'0000'0055);
    expect(counter<0>() == 0x55 && counter<16>() == 0x55 && counter<30>() == 0x55, kWriteAll);
    write_csr<csr::kPccr0 + 3>(0x66);
    expect(counter<4>() == (kShared ? 0x66 : 0x55), kAliases);
    expect(read_csr<csr::kPccr31>() == (kShared ? 0x66 : 0), kAliases);
    expect(read_csr<csr::kUserPccr0 + 3>() == 0x66 && read_csr<csr::kUserPcmr>() == 3, kAliases);
}

void check_event_by_event() {
    count(~uint64_t{0});
    expect(counter<Instructions>() == kLoopInstructions && counter<Loads>() == kRounds &&
               counter<Stores>() == kRounds && counter<Jumps>() == kRounds &&
               counter<Branches>() == 2 * kRounds && counter<Taken>() == kRounds - 1 &&
               counter<Compressed>() == kRounds && counter<TcdmContention>() == 0 &&
               counter<Cycles>() >= kLoopInstructions / 2,
           kEventByEvent);
}

void check_union() {
    count(bit(Loads));
    expect(counter<0>() == kRounds, kUnion);
    count(bit(Taken) | bit(TcdmContention));
    expect(counter<0>() == kRounds - 1, kUnion);
    count(bit(Branches) | bit(Taken)); // a taken branch is a branch
    expect(counter<0>() == 2 * kRounds, kUnion);
    count(bit(Instructions) | bit(Loads)); // no more than cycles, no less than half of what retires
    const uint64_t retiring = counter<0>();
    expect(retiring >= kLoopInstructions / 2 && retiring <= kLoopInstructions, kUnion);
}

void pass_cycles() {
    for (unsigned i = 0; i < 10; ++i) {
        asm volatile("nop");
    }
}

void check_ends() {
    write_csr<csr::kPcmr>(0);
    write_csr<csr::kPcer>(bit(Cycles));
    write_csr<csr::kPccr0>(kLargest - 2);
    write_csr<csr::kPcmr>(csr::kPcmrEnable | csr::kPcmrSaturate);
    pass_cycles();
    expect(counter<0>() == kLargest, kSaturates);
    write_csr<csr::kPcmr>(csr::kPcmrEnable);
    pass_cycles();
    write_csr<csr::kPcmr>(0);
    const uint64_t stopped = counter<0>();
    expect(stopped > 0 && stopped < 10'000, kWraps);
    expect(counter<0>() == stopped, kDisabled);
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    write_csr<csr::kMtvec>(reinterpret_cast<uint64_t>(&step_over));
    check_registers();
    if constexpr (kShared) {
        check_union();
    } else {
        check_event_by_event();
    }
    check_ends();
    return 0;
}
