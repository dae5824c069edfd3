// SPDX-License-Identifier: Apache-2.0
// That counters count: every firmware event a known number of times, and hardware events of loops
// whose counts follow from their instructions.
#include "firmware/boot/csr.h"
#include "platform.h"
#include "tests/guest/sbi_pmu_test/transcript.h"

namespace pes::pmu_test {

namespace {

using Event = sbi::pmu::FirmwareEvent;
constexpr uint64_t kClearStart = sbi::pmu::kConfigClearValue | sbi::pmu::kConfigAutoStart;
constexpr uint64_t kSelf = 1; ///< hart mask of hart 0

alignas(16) unsigned char bytes[32];

#define PES_FULL(instruction) ".option push\n.option norvc\n" instruction "\n.option pop"

void misaligned_load() {
    uint64_t value;
    asm volatile(PES_FULL("ld %0, 0(%1)") : "=r"(value) : "r"(bytes + 1) : "memory");
}

void misaligned_store() {
    asm volatile(PES_FULL("sw zero, 0(%0)")::"r"(bytes + 1) : "memory");
}

void load_closed() {
    uint64_t value;
    asm volatile(PES_FULL("ld %0, 0(%1)") : "=r"(value) : "r"(uint64_t{PES_DRAM_BASE}) : "memory");
}

void store_closed() {
    asm volatile(PES_FULL("sd zero, 0(%0)")::"r"(uint64_t{PES_DRAM_BASE}) : "memory");
}

void illegal() {
    uint64_t value;
    asm volatile("csrr %0, mcycle" : "=r"(value));
}

void interrupt_self() {
    sbi_call(sbi::kIpi, sbi::ipi::kSend, kSelf, 0);
    while ((read_csr<csr::kSip>() & kInterruptSsi) == 0) {
    }
    clear_csr<csr::kSip>(kInterruptSsi);
}

void fence_instructions() {
    sbi_call(sbi::kRemoteFence, sbi::remote_fence::kInstructions, kSelf, 0);
}

void fence_translations() {
    sbi_call(sbi::kRemoteFence, sbi::remote_fence::kTranslations, kSelf, 0, 0, 4096);
}

void fence_translations_of_asid() {
    sbi_call(sbi::kRemoteFence, sbi::remote_fence::kTranslationsOfAsid, kSelf, 0, 0, 4096, 1);
}

void show_count(const char* name, Event event, void (*cause)(), unsigned times) {
    const uint64_t counter = firmware_counter(0);
    configure(counter, 1, kClearStart, firmware_event(event));
    for (unsigned i = 0; i < times; ++i) {
        cause();
    }
    report(name, firmware_read(counter), Shows::Number);
    stop(counter, 1, sbi::pmu::kStopReset);
}

/// hpmcounter3 around `work`.
template <typename Work>
void show_hardware(const char* name, uint64_t event, uint64_t data, Work work) {
    configure(3, 1, 0, event, data);
    start(3, 1, sbi::pmu::kStartSetInitValue, 0);
    report_number(name, work());
    stop(3, 1, sbi::pmu::kStopReset);
}

constexpr uint64_t kTurns = 1000;

/// What hpmcounter3 counts while the loop runs so many times. Each turn has one branch, and so that
/// no two of them retire in one cycle, some other instruction.
#define PES_LOOP(instructions)                                                                     \
    [] {                                                                                           \
        uint64_t turns = kTurns;                                                                   \
        uint64_t first;                                                                            \
        uint64_t last;                                                                             \
        asm volatile("csrr %1, hpmcounter3\n1:\n" instructions                                     \
                     "\naddi %0, %0, -1\nbnez %0, 1b\ncsrr %2, hpmcounter3"                        \
                     : "+r"(turns), "=&r"(first), "=&r"(last)                                      \
                     : "r"(bytes)                                                                  \
                     : "t0", "t1", "t2", "memory");                                                \
        return last - first;                                                                       \
    }

void show_fixed() {
    uint64_t first;
    uint64_t last;
    configure(2, 1, kClearStart, sbi::pmu::kEventInstructions);
    asm volatile("csrr %0, instret\n.rept 100\nnop\n.endr\ncsrr %1, instret"
                 : "=&r"(first), "=&r"(last));
    report_number("instructions of 100 nops and a CSR read", last - first);
    stop(2, 1, sbi::pmu::kStopReset);
    configure(0, 1, kClearStart, sbi::pmu::kEventCycles);
    asm volatile("csrr %0, cycle\n.rept 100\nnop\n.endr\ncsrr %1, cycle"
                 : "=&r"(first), "=&r"(last));
    report_number("100 nops take 50 cycles or more", last - first >= 50 ? 1 : 0);
    stop(0, 1, sbi::pmu::kStopReset);
}

} // namespace

void show_firmware_events() {
    show_count("three misaligned loads", Event::MisalignedLoad, misaligned_load, 3);
    show_count("misaligned loads are no stores", Event::MisalignedStore, misaligned_load, 3);
    show_count("two misaligned stores", Event::MisalignedStore, misaligned_store, 2);
    show_count("four load access faults", Event::LoadAccessFault, load_closed, 4);
    report_number("cause of the load access faults", last_trap);
    show_count("three store access faults", Event::StoreAccessFault, store_closed, 3);
    report_number("cause of the store access faults", last_trap);
    show_count("six illegal instructions", Event::IllegalInstruction, illegal, 6);
    report_number("cause of the illegal instructions", last_trap);
    show_count("five calls of set_timer", Event::SetTimer, set_far_timer, 5);
    show_count("two interrupts of itself, sent", Event::IpiSent, interrupt_self, 2);
    show_count("two interrupts of itself, received", Event::IpiReceived, interrupt_self, 2);
    show_count("three FENCE.I, sent", Event::FenceISent, fence_instructions, 3);
    show_count("three FENCE.I, received", Event::FenceIReceived, fence_instructions, 3);
    show_count("two SFENCE.VMA, sent", Event::SfenceVmaSent, fence_translations, 2);
    show_count("two SFENCE.VMA, received", Event::SfenceVmaReceived, fence_translations, 2);
    show_count("an SFENCE.VMA is not one with ASID", Event::SfenceVmaAsidSent, fence_translations,
               2);
    show_count("four SFENCE.VMA with ASID, sent", Event::SfenceVmaAsidSent,
               fence_translations_of_asid, 4);
    show_count("four SFENCE.VMA with ASID, received", Event::SfenceVmaAsidReceived,
               fence_translations_of_asid, 4);
    show_count("hypervisor fences", Event::FirstOfHypervisor, fence_translations, 1);

    configure(firmware_counter(0), 1, kClearStart, kSetTimer);
    configure(firmware_counter(1), 1, kClearStart, kSetTimer);
    configure(firmware_counter(2), 1, kClearStart, firmware_event(Event::IllegalInstruction));
    set_far_timer();
    stop(firmware_counter(0), 1);
    set_far_timer();
    illegal();
    report("stopped between two events", firmware_read(firmware_counter(0)), Shows::Number);
    report("the same event on a second counter", firmware_read(firmware_counter(1)), Shows::Number);
    report("another event beside it", firmware_read(firmware_counter(2)), Shows::Number);
}

void show_counting() {
    show_fixed();
    show_hardware("1000 turns, branch instructions", kBranches, 0, PES_LOOP("nop"));
    show_hardware("1000 turns, raw branches", sbi::pmu::kEventRaw, 9, PES_LOOP("nop"));
    show_hardware("1000 turns, L1D reads", kL1dReads, 0, PES_LOOP("ld t0, 0(%3)"));
    show_hardware("1000 turns, raw loads", sbi::pmu::kEventRaw, kLoadSelector,
                  PES_LOOP("ld t0, 0(%3)"));
    show_hardware("1000 turns without a load", kL1dReads, 0, PES_LOOP("nop"));
    show_hardware("1000 turns, L1D writes", kL1dWrites, 0, PES_LOOP("sd t0, 0(%3)"));
    show_hardware("1000 turns, raw integer instructions", sbi::pmu::kEventRaw, 20, PES_LOOP(""));
    show_hardware("1000 turns, raw calls", sbi::pmu::kEventRaw, 12,
                  PES_LOOP("jal t0, 2f\n2: jal t1, 3f\n3: nop"));
}

} // namespace pes::pmu_test
