// SPDX-License-Identifier: Apache-2.0
// Base, timer, console and reset calls, the `time` CSR and the machine layer's protection.
#include "firmware/boot/csr.h"
#include "platform.h"
#include "tests/guest/sbi_test/check.h"

namespace pes::test {

namespace {

constexpr uint64_t kLoadAccessFault = 5;

sbi::Result probe(uint64_t extension) {
    return sbi_call(sbi::kBase, sbi::base::kProbeExtension, extension);
}

void check_console() {
    static char text[] = "console write\n";
    const uint64_t length = sizeof(text) - 1;
    expect_success(
        "DBCN write",
        sbi_call(sbi::kConsole, sbi::console::kWrite, length, reinterpret_cast<uint64_t>(text)),
        length);
    expect_error("DBCN write from machine memory",
                 sbi_call(sbi::kConsole, sbi::console::kWrite, length, PES_DRAM_BASE),
                 sbi::kInvalidParam);
    expect_error("DBCN write past the end of memory",
                 sbi_call(sbi::kConsole, sbi::console::kWrite, 2,
                          uint64_t{PES_DRAM_BASE} + PES_DRAM_SIZE - 1),
                 sbi::kInvalidParam);
    expect_error(
        "DBCN write with a high address half",
        sbi_call(sbi::kConsole, sbi::console::kWrite, length, reinterpret_cast<uint64_t>(text), 1),
        sbi::kInvalidParam);
    expect_error("DBCN function 3", sbi_call(sbi::kConsole, 3), sbi::kNotSupported);
    expect_value("legacy putchar",
                 static_cast<uint64_t>(sbi_call(sbi::kLegacyPutchar, 0, '\n').error), 0);
}

void check_timer() {
    const uint64_t now = read_csr<csr::kTime>(); // emulated if the hart has no such CSR
    expect_value(
        "time does not stand still",
        [now] {
            for (unsigned i = 0; i < 100'000; ++i) {
                if (read_csr<csr::kTime>() > now) {
                    return 1;
                }
            }
            return 0;
        }(),
        1);
    expect_error("set_timer", sbi_call(sbi::kTimer, sbi::timer::kSetTimer, now), sbi::kSuccess);
    uint64_t pending = 0;
    for (unsigned i = 0; i < 100'000 && pending == 0; ++i) {
        pending = read_csr<csr::kSip>() & kInterruptSti;
    }
    expect_value("a passed deadline pends the supervisor timer", pending, kInterruptSti);
    sbi_call(sbi::kTimer, sbi::timer::kSetTimer, ~uint64_t{0});
    expect_value("a new deadline clears it", read_csr<csr::kSip>() & kInterruptSti, 0);
}

void expect_legacy(const char* what, uint64_t extension, const void* mask) {
    expect_error(what, sbi_call(extension, 0, reinterpret_cast<uint64_t>(mask), 0, ~uint64_t{0}, 0),
                 sbi::kSuccess);
}

/// SBI 0.1: hart masks are words in memory, no address means every hart.
void check_legacy() {
    const uint64_t self = 1;
    const uint64_t missing = uint64_t{1} << 63;
    for (uint64_t extension = 0; extension <= sbi::kLegacyShutdown; ++extension) {
        expect_success("probe of a legacy extension", probe(extension), 1);
    }
    expect_success("probe past the legacy extensions", probe(sbi::kLegacyShutdown + 1), 0);
    expect_legacy("legacy send_ipi", sbi::kLegacySendIpi, &self);
    while ((read_csr<csr::kSip>() & kInterruptSsi) == 0) {
    }
    expect_legacy("legacy clear_ipi", sbi::kLegacyClearIpi, nullptr);
    expect_value("clear_ipi clears", read_csr<csr::kSip>() & kInterruptSsi, 0);
    expect_error("legacy send_ipi to no hart",
                 sbi_call(sbi::kLegacySendIpi, 0, reinterpret_cast<uint64_t>(&missing)),
                 sbi::kInvalidParam);
    expect_error("legacy send_ipi by a mask in machine memory",
                 sbi_call(sbi::kLegacySendIpi, 0, PES_DRAM_BASE), sbi::kInvalidAddress);
    expect_legacy("legacy fence.i", sbi::kLegacyFenceI, &self);
    expect_legacy("legacy sfence.vma", sbi::kLegacySfenceVma, &self);
    expect_legacy("legacy sfence.vma with ASID", sbi::kLegacySfenceVmaAsid, &self);
    sbi_call(sbi::kLegacySetTimer, 0, 0);
    while ((read_csr<csr::kSip>() & kInterruptSti) == 0) {
    }
    sbi_call(sbi::kLegacySetTimer, 0, ~uint64_t{0});
    expect_value("legacy set_timer clears", read_csr<csr::kSip>() & kInterruptSti, 0);
}

/// The cause of the exception that a load raises, all ones: none.
uint64_t load_trap(uint64_t address) {
    uint64_t word;
    last_trap = ~uint64_t{0};
    asm volatile(".option push\n.option norvc\nld %0, 0(%1)\n.option pop"
                 : "=r"(word)
                 : "r"(address));
    return last_trap;
}

/// 512 KiB: what U-Boot at DRAM + 2 MiB, whose stack grows down from there, leaves to firmware.
void check_machine_region() {
    constexpr uint64_t kEnd = uint64_t{PES_DRAM_BASE} + 0x80000;
    expect_value("machine memory is closed", load_trap(PES_DRAM_BASE), kLoadAccessFault);
    expect_value("machine memory is closed to its end", load_trap(kEnd - 8), kLoadAccessFault);
    expect_value("the memory behind it is open", load_trap(kEnd), ~uint64_t{0});
    expect_error("and takes console output", sbi_call(sbi::kConsole, sbi::console::kWrite, 0, kEnd),
                 sbi::kSuccess);
}

} // namespace

void check_base() {
    expect_success("specification version", sbi_call(sbi::kBase, sbi::base::kSpecVersion),
                   0x300'0000);
    expect_error("implementation id", sbi_call(sbi::kBase, sbi::base::kImplementationId),
                 sbi::kSuccess);
    expect_success("probe PMU", probe(sbi::kPmu), 1);
    expect_success("probe TIME", probe(sbi::kTimer), 1);
    expect_success("probe DBCN", probe(sbi::kConsole), 1);
    expect_success("probe SRST", probe(sbi::kReset), 1);
    expect_success("probe sPI", probe(sbi::kIpi), 1);
    expect_success("probe RFNC", probe(sbi::kRemoteFence), 1);
    expect_success("probe HSM", probe(sbi::kHartState), 1);
    expect_success("probe MPXY", probe(0x4D505859), 0);
    expect_error("base function 7", sbi_call(sbi::kBase, 7), sbi::kNotSupported);
    expect_error("unknown extension", sbi_call(0x12345678, 0), sbi::kNotSupported);
    expect_error("reset type 3", sbi_call(sbi::kReset, sbi::reset::kSystemReset, 3),
                 sbi::kInvalidParam);
    expect_error("reset reason 2", sbi_call(sbi::kReset, sbi::reset::kSystemReset, 0, 2),
                 sbi::kInvalidParam);
    check_console();
    check_timer();
    check_legacy();

    check_machine_region();
    uint64_t word;
    last_trap = ~uint64_t{0};
    asm volatile("csrr %0, mcycle" : "=r"(word));
    expect_value("an illegal instruction reaches the supervisor", last_trap,
                 kCauseIllegalInstruction);
}

} // namespace pes::test
