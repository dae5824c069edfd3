// SPDX-License-Identifier: Apache-2.0
// PMU extension: every "expected" is SBI 3.0's text, or docs/sbi.md where the text is silent.
#include "firmware/boot/csr.h"
#include "platform.h"
#include "tests/guest/sbi_test/check.h"

namespace pes::test {

namespace {

// Of the machine that runs the test, which need not be the one that the platform header is of.
uint64_t hardware; ///< counters, of which 1 is a hole
uint64_t total;    ///< 16 firmware counters follow
uint64_t all;      ///< the hardware counters as a mask
constexpr uint64_t kFixed = 1 << 0 | 1 << 2;
constexpr uint64_t kCycles = 1;
constexpr uint64_t kInstructions = 2;
// Events that the device trees of all machines here have.
constexpr uint64_t kDtlbReadMisses = 0x10019;
constexpr uint64_t kDtlbWriteMisses = 0x1001B;
constexpr uint64_t kItlbReadMisses = 0x10021;
constexpr uint64_t kRawV2 = 0x30000;
constexpr uint64_t kClearStart = sbi::pmu::kConfigClearValue | sbi::pmu::kConfigAutoStart;

sbi::Result configure(uint64_t base, uint64_t mask, uint64_t flags, uint64_t event,
                      uint64_t data = 0) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, base, mask, flags, event, data);
}

sbi::Result start(uint64_t base, uint64_t mask, uint64_t flags = 0, uint64_t value = 0) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterStart, base, mask, flags, value);
}

sbi::Result stop(uint64_t base, uint64_t mask, uint64_t flags = 0) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, base, mask, flags);
}

sbi::Result info(uint64_t counter) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterGetInfo, counter);
}

/// Sscofpmf, by its register: where there is none, reading it traps.
bool has_overflow() {
    last_trap = ~uint64_t{0};
    (void)read_csr<csr::kScountovf>();
    return last_trap != kCauseIllegalInstruction;
}

/// Hardware counters end where the first firmware counter is.
void find_counters() {
    constexpr uint64_t kMost = 32;
    hardware = 2;
    while (hardware < kMost && (info(hardware).value & sbi::pmu::kInfoFirmware) == 0) {
        ++hardware;
    }
    total = hardware + 16;
    all = (uint64_t{1} << hardware) - 1;
    expect_value("the platform's counters are there", hardware >= 3 + PES_HPM_COUNTERS, 1);
}

void check_information() {
    expect_success("num_counters", sbi_call(sbi::kPmu, sbi::pmu::kNumCounters), total);
    expect_success("info of cycle", info(0), 63 << 12 | 0xC00);
    expect_success("info of instret", info(2), 63 << 12 | 0xC02);
    expect_success("info of counter 3", info(3), (PES_HPM_WIDTH - 1) << 12 | 0xC03);
    expect_error("info of the time hole", info(1), sbi::kInvalidParam);
    expect_error("info past the end", info(total), sbi::kInvalidParam);
    expect_error("fw_read of a hardware counter",
                 sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, 3), sbi::kInvalidParam);
    expect_error("fw_read past the end", sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, 99),
                 sbi::kInvalidParam);
    expect_success("info of a firmware counter", info(hardware),
                   sbi::pmu::kInfoFirmware | 63 << 12);
    expect_error("fw_read before configuration",
                 sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, hardware), sbi::kInvalidParam);
    expect_error(
        "snapshot memory, which nobody has switched on",
        sbi_call(sbi::kPmu, sbi::pmu::kSnapshotSetSharedMemory, ~uint64_t{0}, ~uint64_t{0}),
        sbi::kNotSupported);
    expect_error("event info in machine memory",
                 sbi_call(sbi::kPmu, sbi::pmu::kEventGetInfo, PES_DRAM_BASE, 0, 1),
                 sbi::kInvalidAddress);
    expect_error("fw_read of counter -1",
                 sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, ~uint64_t{0}),
                 sbi::kInvalidParam);
    expect_error("start from base -1", start(~uint64_t{0}, 1), sbi::kInvalidParam);
    expect_error("function 9", sbi_call(sbi::kPmu, 9), sbi::kNotSupported);
}

void check_configuration() {
    expect_error("empty mask", configure(0, 0, 0, kCycles), sbi::kInvalidParam);
    expect_error("mask past the end", configure(0, uint64_t{1} << total, 0, kCycles),
                 sbi::kInvalidParam);
    expect_error("base past the end", configure(total, 1, 0, kCycles), sbi::kInvalidParam);
    expect_error("reserved flag", configure(0, all, 1 << 8, kCycles), sbi::kInvalidParam);
    expect_error("event 0", configure(0, all, 0, 0), sbi::kNotSupported);
    expect_error("event of type 4", configure(0, all, 0, 0x40001), sbi::kNotSupported);
    expect_error("event 0x1234", configure(0, all, 0, 0x1234), sbi::kNotSupported);
    expect_error("raw event 31", configure(0, all, 0, kRawV2, 31), sbi::kNotSupported);
    expect_error("raw event 0", configure(0, all, 0, kRawV2, 0), sbi::kNotSupported);
    expect_error("raw code 1", configure(0, all, 0, kRawV2 | 1, 5), sbi::kNotSupported);
    expect_error("general event with data", configure(0, all, 0, kCycles, 1), sbi::kNotSupported);
    const sbi::Result programmable = configure(3, 1, 0, kCycles); // if it can be sampled
    expect_error("cycles on a programmable counter", programmable,
                 has_overflow() ? sbi::kSuccess : sbi::kNotSupported);
    stop(3, 1, sbi::pmu::kStopReset);
    expect_error("skip match on a counter without an event",
                 configure(3, 1, sbi::pmu::kConfigSkipMatch, kDtlbReadMisses), sbi::kInvalidParam);

    expect_success("cycles", configure(0, kFixed, 0, kCycles), 0);
    expect_error("cycles again", configure(0, kFixed, 0, kCycles), sbi::kNotSupported);
    expect_success("instructions", configure(0, kFixed, 0, kInstructions), 2);
    expect_success("the lowest free counter", configure(0, all, 0, kDtlbReadMisses), 3);
    expect_success("the next free counter", configure(0, all, 0, kDtlbWriteMisses), 4);
    expect_success("of three counters", configure(5, 7, 0, kItlbReadMisses), 5);
    expect_error("a taken counter", configure(4, 1, 0, kDtlbReadMisses), sbi::kNotSupported);
    expect_success("skip match", configure(4, 1, sbi::pmu::kConfigSkipMatch, kDtlbReadMisses), 4);
}

/// Follows check_configuration: 0, 2, 3, 4 and 5 are configured and stand still.
void check_start_and_stop() {
    expect_error("stop a stopped counter", stop(0, 1), sbi::kAlreadyStopped);
    expect_error("start with a reserved flag", start(0, 1, 4), sbi::kInvalidParam);
    expect_error("start from a snapshot", start(0, 1, sbi::pmu::kStartInitSnapshot), sbi::kNoShmem);
    expect_error("start past the end", start(total, 1), sbi::kInvalidParam);
    expect_error("start an unconfigured counter", start(8, 1), sbi::kInvalidParam);
    expect_error("start with a value", start(0, 1, sbi::pmu::kStartSetInitValue, 1000),
                 sbi::kSuccess);
    expect_value("the value took", read_csr<csr::kCycle>() >= 1000, 1);
    expect_error("start a running counter", start(0, 1, sbi::pmu::kStartSetInitValue, 0),
                 sbi::kAlreadyStarted);
    expect_value("its value stayed", read_csr<csr::kCycle>() >= 1000, 1);
    expect_error("start a set with a running member", start(0, 5), sbi::kAlreadyStarted);
    const uint64_t before = read_csr<csr::kInstret>();
    expect_value("the other member runs", read_csr<csr::kInstret>() > before, 1);
    expect_error("stop with a reserved flag", stop(0, 1, 4), sbi::kInvalidParam);
    expect_error("stop into a snapshot", stop(0, 1, sbi::pmu::kStopTakeSnapshot), sbi::kNoShmem);
    expect_error("stop both", stop(0, 5), sbi::kSuccess);
    const uint64_t stopped = read_csr<csr::kInstret>();
    // Not "equal": QEMU 7.2 reads 0 from an inhibited counter the second time.
    expect_value("a stopped counter does not go on", read_csr<csr::kInstret>() > stopped, 0);
    expect_error("release a stopped counter", stop(4, 1, sbi::pmu::kStopReset),
                 sbi::kAlreadyStopped);
    expect_success("it is free again", configure(0, all, 0, kDtlbReadMisses), 4);
    expect_error("release all", stop(0, all, sbi::pmu::kStopReset), sbi::kAlreadyStopped);
    expect_error("nothing is left", stop(0, all, sbi::pmu::kStopReset), sbi::kInvalidParam);
    const uint64_t released = read_csr<csr::kCycle>();
    expect_value("a released cycle counter runs free", read_csr<csr::kCycle>() > released, 1);
}

void check_count() {
    // instret between two reads that are n instructions apart differs by exactly n.
    expect_success("instructions from zero", configure(0, kFixed, kClearStart, kInstructions), 2);
    uint64_t first;
    uint64_t last;
    asm volatile("csrr %0, instret\nnop\nnop\nnop\ncsrr %1, instret" : "=&r"(first), "=&r"(last));
    expect_value("four instructions", last - first, 4);
    expect_error("stop and release", stop(2, 1, sbi::pmu::kStopReset), sbi::kSuccess);
}

} // namespace

void check_pmu() {
    find_counters();
    check_information();
    check_configuration();
    check_start_and_stop();
    check_count();
}

} // namespace pes::test
