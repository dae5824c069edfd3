// SPDX-License-Identifier: Apache-2.0
#include "tests/guest/sbi_pmu_test/transcript.h"

#include "firmware/boot/indexed_csr.h"

namespace pes::pmu_test {

Machine machine;

namespace {

const char* error_name(int64_t error) {
    constexpr const char* kNames[] = {
        "SUCCESS",         "FAILED",          "NOT_SUPPORTED",     "INVALID_PARAM",
        "DENIED",          "INVALID_ADDRESS", "ALREADY_AVAILABLE", "ALREADY_STARTED",
        "ALREADY_STOPPED", "NO_SHMEM",        "INVALID_STATE",     "BAD_RANGE",
    };
    constexpr int64_t kCount = sizeof(kNames) / sizeof(kNames[0]);
    return error <= 0 && -error < kCount ? kNames[-error] : "an unknown error";
}

const char* kind_of(uint64_t counter) {
    if (counter >= machine.first_firmware) {
        return "firmware";
    }
    return counter < 3 ? "fixed" : "programmable";
}

void put_value(uint64_t value, Shows shows) {
    switch (shows) {
    case Shows::Nothing:
        break;
    case Shows::Number:
        print(put_byte, " ", value);
        break;
    case Shows::Counter:
        if (value < machine.first_firmware) {
            print(put_byte, " hw", value);
        } else {
            print(put_byte, " fw", value - machine.first_firmware);
        }
        break;
    case Shows::Kind:
        print(put_byte, " ", kind_of(value));
        break;
    }
}

} // namespace

void put_byte(char byte) {
    sbi_call(sbi::kLegacyPutchar, 0, static_cast<uint64_t>(byte));
}

void report(const char* name, sbi::Result result, Shows shows) {
    print(put_byte, name, ": ", error_name(result.error));
    if (result.error == sbi::kSuccess) {
        put_value(result.value, shows);
    }
    put_byte('\n');
}

void report_number(const char* name, uint64_t number) {
    print(put_byte, name, ": ", number, "\n");
}

void find_machine() {
    machine.count = sbi_call(sbi::kPmu, sbi::pmu::kNumCounters).value;
    while (machine.first_firmware < machine.count &&
           (counter_info(machine.first_firmware).value & sbi::pmu::kInfoFirmware) == 0) {
        ++machine.first_firmware;
    }
}

sbi::Result counter_info(uint64_t n) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterGetInfo, n);
}

sbi::Result configure(uint64_t base, uint64_t mask, uint64_t flags, uint64_t event, uint64_t data) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, base, mask, flags, event, data);
}

sbi::Result start(uint64_t base, uint64_t mask, uint64_t flags, uint64_t value) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterStart, base, mask, flags, value);
}

sbi::Result stop(uint64_t base, uint64_t mask, uint64_t flags) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, base, mask, flags);
}

sbi::Result firmware_read(uint64_t n) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, n);
}

sbi::Result firmware_read_high(uint64_t n) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareReadHigh, n);
}

void release_all() {
    for (uint64_t n = 0; n < machine.count; ++n) {
        stop(n, 1, sbi::pmu::kStopReset);
    }
}

uint64_t all_counters() {
    return (uint64_t{1} << machine.count) - 1;
}

uint64_t hardware_counters() {
    return (uint64_t{1} << machine.first_firmware) - 1;
}

uint64_t firmware_counter(uint64_t n) {
    return machine.first_firmware + n;
}

uint64_t read_counter(uint64_t n) {
    return read_user_counter(static_cast<unsigned>(n));
}

void set_far_timer() {
    sbi_call(sbi::kTimer, sbi::timer::kSetTimer, ~uint64_t{0});
}

} // namespace pes::pmu_test
