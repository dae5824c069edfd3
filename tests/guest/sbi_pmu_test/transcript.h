// SPDX-License-Identifier: Apache-2.0
// The PMU test for supervisor mode under any SBI firmware: makes every call of the extension and
// prints one line a case, `name: ERROR value`. It judges nothing; tests/e2e compares the transcript
// with what the specification says and with another firmware's.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/supervisor/sbi_call.h"

#include <stdint.h>

namespace pes::pmu_test {

/// How the value of a successful call is printed.
enum class Shows : uint8_t {
    Nothing,
    Number,
    Counter, ///< hw3: hardware counter 3; fw0: the first firmware counter
    Kind,    ///< fixed, programmable or firmware: whichever of them the firmware hands out
};

/// What the firmware says it has.
struct Machine {
    uint64_t count;
    uint64_t first_firmware;
};
extern Machine machine;

void find_machine();

/// Console of the oldest SBI.
void put_byte(char byte);

void report(const char* name, sbi::Result result, Shows shows = Shows::Nothing);
void report_number(const char* name, uint64_t number);

// The calls.
sbi::Result counter_info(uint64_t n);
sbi::Result configure(uint64_t base, uint64_t mask, uint64_t flags, uint64_t event,
                      uint64_t data = 0);
sbi::Result start(uint64_t base, uint64_t mask, uint64_t flags = 0, uint64_t value = 0);
sbi::Result stop(uint64_t base, uint64_t mask, uint64_t flags = 0);
sbi::Result firmware_read(uint64_t n);
sbi::Result firmware_read_high(uint64_t n);

/// Every counter unconfigured again, one call each, whatever the answers.
void release_all();

/// The set of every counter, seen from base 0.
uint64_t all_counters();
/// The same without the firmware counters.
uint64_t hardware_counters();
/// Counter fw<n>.
uint64_t firmware_counter(uint64_t n);
/// hpmcounter<n> by CSR.
uint64_t read_counter(uint64_t n);

// Events of type 15, and others that the cases need.
constexpr uint64_t firmware_event(uint64_t code) {
    return sbi::pmu::kEventTypeFirmware << sbi::pmu::kEventTypeShift | code;
}
constexpr uint64_t firmware_event(sbi::pmu::FirmwareEvent event) {
    return firmware_event(static_cast<uint64_t>(event));
}
inline constexpr uint64_t kSetTimer = firmware_event(sbi::pmu::FirmwareEvent::SetTimer);
inline constexpr uint64_t kBranches = 0x00005;
inline constexpr uint64_t kL1dReads = 0x10000;
inline constexpr uint64_t kL1dWrites = 0x10002;
inline constexpr uint64_t kLoadSelector = 5; ///< raw, of the platform's default profile

/// A call that firmware event kSetTimer counts; no interrupt follows.
void set_far_timer();

// The parts of the test.
void show_questions();
void show_unconfigured();
void show_configuration_errors();
void show_events();
void show_allocation();
void show_configuration_flags();
void show_states();
void show_sets();
void show_snapshot();
void show_event_info();
void show_firmware_events();
void show_counting();

} // namespace pes::pmu_test

/// scause of the last trap, whose instruction of 4 bytes was stepped over.
extern "C" volatile uint64_t last_trap;
