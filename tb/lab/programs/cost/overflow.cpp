// SPDX-License-Identifier: Apache-2.0
// What a counter overflow interrupt costs: a supervisor samples user code on branches every PERIOD
// as a kernel's driver does (driver.h): stop the counter, see that it overflowed, acknowledge,
// store a record, start it again. PERIOD 0: the same user code without sampling. Start-up and traps
// are those of tests/guest/user_trial.
#include "firmware/boot/csr.h"
#include "firmware/supervisor/sbi_call.h"
#include "hw/interface/maps/sample_record.h"
#include "tb/lab/programs/cost/driver.h"

#include <stdint.h>

extern "C" {
uint64_t run_user(void (*entry)(), uint64_t argument);
void user_turns();
}

namespace pes {
namespace {

constexpr uint64_t kTurns = 1'000'000; // a branch each
constexpr unsigned kRecords = 256;

SampleRecord records[kRecords];
uint64_t samples = 0;

[[noreturn]] void end(bool right) {
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown,
             right ? sbi::reset::kNoReason : sbi::reset::kSystemFailure);
    for (;;) {
        asm volatile("wfi");
    }
}

void record(uint64_t pc, uint64_t value) {
    SampleRecord& to = records[samples++ % kRecords];
    to = SampleRecord{};
    to.counter = driver::kCounter;
    to.pc = pc;
    to.cycle = read_csr<csr::kCycle>();
    to.counter_value = value;
    to.threshold = PERIOD;
}

} // namespace

extern "C" void overflow_interrupt() {
    const uint64_t value = driver::stop();
    const bool ours = (read_csr<csr::kScountovf>() >> driver::kCounter & 1) != 0;
    clear_csr<csr::kSip>(kInterruptLcofi);
    if (ours) {
        record(driver::sampled_pc(), value);
    }
    driver::start(value - (ours ? PERIOD : 0));
}

extern "C" [[noreturn]] void report_trap(uint64_t, uint64_t, uint64_t) {
    end(false);
}

extern "C" [[noreturn]] void run_tests() {
    write_csr<csr::kScounteren>(~uint64_t{0});
    if (PERIOD != 0) {
        set_csr<csr::kSie>(kInterruptLcofi);
        driver::prepare();
        driver::start(-uint64_t{PERIOD});
    }
    run_user(user_turns, kTurns);
    end(samples + 1 >= (PERIOD == 0 ? 1 : kTurns / PERIOD));
}

} // namespace pes
