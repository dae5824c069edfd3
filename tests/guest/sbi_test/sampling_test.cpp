// SPDX-License-Identifier: Apache-2.0
// Sampling extension and the thesis's calls, from supervisor mode. Where there is no PES unit they
// must all say so.
#include "firmware/boot/csr.h"
#include "hw/interface/maps/sample_record.h"
#include "platform.h"
#include "tests/guest/sbi_test/check.h"

namespace pes::test {

namespace {

constexpr uint64_t kStores = 6;
constexpr uint64_t kIntegers = 20;
constexpr uint64_t kRecords = 4;
alignas(64) volatile SampleRecord buffer[kRecords];

sbi::Result sampling(sbi::sampling::Function function, uint64_t first = 0, uint64_t second = 0,
                     uint64_t third = 0) {
    return sbi_call(sbi::kSampling, function, first, second, third);
}

sbi::Result enable(uint64_t counter, uint64_t event, uint64_t threshold) {
    return sampling(sbi::sampling::kEnable, counter, event, threshold);
}

uint64_t status(sbi::sampling::StatusItem item) {
    return sampling(sbi::sampling::kStatus, item).value;
}

int64_t thesis(uint64_t call, uint64_t index, uint64_t value) {
    return sbi_call(call, 0, index, value).error;
}

uint64_t buffer_address() {
    return reinterpret_cast<uint64_t>(&buffer[0]);
}

/// At least `count` integer instructions.
void integer_work(uint64_t count) {
    asm volatile("1: addi %0, %0, -1\nbnez %0, 1b" : "+r"(count));
}

void check_absent() {
    expect_success("probe of the sampling extension",
                   sbi_call(sbi::kBase, sbi::base::kProbeExtension, sbi::kSampling), 0);
    expect_error("enable without a unit", enable(3, kStores, 1), sbi::kNotSupported);
    expect_value("thesis call without a unit",
                 static_cast<uint64_t>(thesis(sbi::kThesisEvent, 3, 21)),
                 static_cast<uint64_t>(sbi::kThesisInvalid));
}

void check_validation() {
    expect_error("no such counter", enable(99, kStores, 1), sbi::kInvalidParam);
    expect_error("the time hole", enable(1, 0, 1), sbi::kInvalidParam);
    expect_error("threshold 0", enable(3, kStores, 0), sbi::kInvalidParam);
    expect_error("unknown event", enable(3, 31, 1), sbi::kNotSupported);
    expect_error("event 0", enable(3, 0, 1), sbi::kNotSupported);
    expect_error("an event on cycle", enable(0, kStores, 1), sbi::kInvalidParam);
    expect_error("start without a buffer", sampling(sbi::sampling::kStart), sbi::kNoShmem);
    expect_error("stop while stopped", sampling(sbi::sampling::kStop), sbi::kAlreadyStopped);
    expect_error("disable what is not enabled", sampling(sbi::sampling::kDisable, 3),
                 sbi::kAlreadyStopped);
    expect_error("buffer in machine memory",
                 sampling(sbi::sampling::kSetBuffer, PES_DRAM_BASE, 4096), sbi::kInvalidAddress);
    expect_error(
        "buffer past the end of memory",
        sampling(sbi::sampling::kSetBuffer, uint64_t{PES_DRAM_BASE} + PES_DRAM_SIZE - 64, 128),
        sbi::kInvalidAddress);
    expect_error("misaligned buffer", sampling(sbi::sampling::kSetBuffer, buffer_address() + 4, 64),
                 sbi::kInvalidAddress);
    expect_error("buffer below one record",
                 sampling(sbi::sampling::kSetBuffer, buffer_address(), 63), sbi::kInvalidParam);
    expect_error("resume without hand-over", sampling(sbi::sampling::kResume), sbi::kInvalidState);
    expect_error("no modes", sampling(sbi::sampling::kModes, 0), sbi::kInvalidParam);
    expect_error("the reserved mode", sampling(sbi::sampling::kModes, 4), sbi::kInvalidParam);
    expect_error("function 12", sbi_call(sbi::kSampling, 12), sbi::kNotSupported);
    sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, 3, 1, 0, 6);
    expect_error("a counter of the PMU extension", enable(3, kStores, 1), sbi::kDenied);
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, 3, 1, sbi::pmu::kStopReset);
}

void check_record(unsigned i, uint64_t counter, uint64_t event, uint64_t threshold) {
    const volatile SampleRecord& record = buffer[i];
    expect_value("record magic", record.magic, kSampleMagic);
    expect_value("record size", record.size, kSampleSize);
    expect_value("record version", record.version, kSampleVersion);
    expect_value("record counter", record.counter, counter);
    expect_value("record event", record.event, event);
    expect_value("record threshold", record.threshold, threshold);
    expect_value("record privilege", record.privilege, 1);
    expect_value("record counter value has reached the threshold",
                 record.counter_value >= threshold, 1);
    expect_value("record pc is in the supervisor",
                 record.pc - (uint64_t{PES_DRAM_BASE} + 0x200000) < 0x200000, 1);
}

void check_sampling_run() {
    constexpr uint64_t kThreshold = 1000;
    expect_success("set buffer",
                   sampling(sbi::sampling::kSetBuffer, buffer_address(), sizeof(buffer)), 0);
    expect_error("unknown method", sampling(sbi::sampling::kMethod, 3), sbi::kInvalidParam);
    expect_error("a hart that captures no causes",
                 sampling(sbi::sampling::kMethod, sbi::sampling::kCause), sbi::kNotSupported);
    expect_error("unknown part of a record", sampling(sbi::sampling::kRecord, 16),
                 sbi::kInvalidParam);
    expect_error("a hart that keeps no calls",
                 sampling(sbi::sampling::kRecord, sbi::sampling::kRecordCalls), sbi::kNotSupported);
    expect_error("start with nothing enabled", sampling(sbi::sampling::kStart), sbi::kInvalidState);
    expect_success("enable", enable(3, kIntegers, kThreshold), 0);
    expect_success("start", sampling(sbi::sampling::kStart), 0);
    expect_error("start twice", sampling(sbi::sampling::kStart), sbi::kAlreadyStarted);
    expect_error("enable while running", enable(4, kStores, 1), sbi::kAlreadyStarted);
    expect_error("record while running", sampling(sbi::sampling::kRecord, 0), sbi::kAlreadyStarted);
    expect_error("the PMU extension cannot have a sampled counter",
                 sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, 3, 1, 0, 6),
                 sbi::kNotSupported);
    // Two thresholds' worth and no more: each sample costs a few events of skid.
    while (status(sbi::sampling::kSamples) < 2) {
        integer_work(kThreshold / 4);
    }
    expect_value("records lie one after the other", status(sbi::sampling::kBytes),
                 status(sbi::sampling::kSamples) * kSampleSize);
    check_record(0, 3, kIntegers, kThreshold);
    check_record(1, 3, kIntegers, kThreshold);
    expect_value("records are in time order", buffer[1].cycle > buffer[0].cycle, 1);

    // Fill it up, and beyond.
    while (status(sbi::sampling::kLost) == 0) {
        integer_work(kThreshold);
    }
    expect_value("a full buffer takes no more", status(sbi::sampling::kSamples), kRecords);
    expect_value("a full buffer pends the supervisor software interrupt",
                 read_csr<csr::kSip>() & kInterruptSsi, kInterruptSsi);
    clear_csr<csr::kSip>(kInterruptSsi);
    const uint64_t lost = status(sbi::sampling::kLost);
    expect_success("hand over", sampling(sbi::sampling::kHandOver), sizeof(buffer));
    expect_value("state", status(sbi::sampling::kState), sbi::sampling::kHandedOver);
    integer_work(10 * kThreshold);
    expect_value("nothing is sampled during hand-over", status(sbi::sampling::kLost), lost);
    expect_success("resume", sampling(sbi::sampling::kResume), 0);
    while (status(sbi::sampling::kSamples) == kRecords) {
        integer_work(kThreshold);
    }
    expect_value("the next record carries what was lost", buffer[0].lost, lost);
    expect_success("stop", sampling(sbi::sampling::kStop), 0);
    expect_success("disable", sampling(sbi::sampling::kDisable, 3), 0);
}

void check_cycle_sampling() {
    constexpr uint64_t kThreshold = 5000;
    sampling(sbi::sampling::kSetBuffer, buffer_address(), sizeof(buffer));
    expect_success("enable cycle", enable(0, 0, kThreshold), 0);
    const uint64_t before = read_csr<csr::kCycle>();
    sampling(sbi::sampling::kStart);
    while (status(sbi::sampling::kSamples) < 2) {
        integer_work(100);
    }
    sampling(sbi::sampling::kStop);
    check_record(0, 0, 0, kThreshold);
    expect_value("cycle was not reset", read_csr<csr::kCycle>() > before + 2 * kThreshold, 1);
    sampling(sbi::sampling::kDisable, 0);
}

void check_thesis_calls() {
    const auto invalid = static_cast<uint64_t>(sbi::kThesisInvalid);
    const auto refused = [](uint64_t call, uint64_t number, uint64_t value) {
        return static_cast<uint64_t>(thesis(call, number, value));
    };
    expect_value("thesis event of counter 2", refused(sbi::kThesisEvent, 2, 21), invalid);
    expect_value("thesis event of counter 9", refused(sbi::kThesisEvent, 9, 21), invalid);
    expect_value("thesis counter 2", refused(sbi::kThesisCounter, 2, 0), invalid);
    expect_value("thesis counter 9", refused(sbi::kThesisCounter, 9, 0), invalid);
    expect_value("thesis threshold 0", refused(sbi::kThesisThreshold, 0, 1), invalid);
    expect_value("thesis threshold 7", refused(sbi::kThesisThreshold, 7, 1), invalid);
    expect_value("thesis event 31", refused(sbi::kThesisEvent, 3, 31), invalid);
    expect_value("thesis buffer nowhere", refused(sbi::kThesisBuffer, 0, 16), invalid);
    expect_value("thesis buffer that does not fit",
                 refused(sbi::kThesisBuffer, PES_DRAM_SIZE, buffer_address()), invalid);
    expect_value("call 13", static_cast<uint64_t>(thesis(13, 3, 1)),
                 static_cast<uint64_t>(sbi::kNotSupported));
    thesis(sbi::kThesisEvent, 4, kIntegers);
    thesis(sbi::kThesisThreshold, 2, 500);
    thesis(sbi::kThesisCounter, 4, 0);
    thesis(sbi::kThesisBuffer, sizeof(buffer), buffer_address());
    integer_work(800);
    thesis(sbi::kThesisThreshold, 2, 0);
    thesis(sbi::kThesisEvent, 4, 0);
    expect_value("thesis samples", status(sbi::sampling::kSamples) >= 1, 1);
    check_record(0, 4, kIntegers, 500);
    expect_value("thesis state afterwards", status(sbi::sampling::kState), sbi::sampling::kStopped);
}

} // namespace

void check_sampling() {
    if (sbi_call(sbi::kBase, sbi::base::kProbeExtension, sbi::kSampling).value == 0) {
        check_absent();
        return;
    }
    check_validation();
    check_sampling_run();
    check_cycle_sampling();
    check_thesis_calls();
}

} // namespace pes::test
