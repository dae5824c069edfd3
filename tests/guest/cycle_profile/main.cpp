// SPDX-License-Identifier: Apache-2.0
// A profiler in supervisor mode on counters that are its own (Smcdeleg, Ssccfg): it samples work in
// user mode every so many cycles and hands the records to the host. A sample names the instruction
// whose cycle it was if the hart captures that (Sspesa), else the interrupted one. From the first
// sample to the last nothing runs in machine mode: a second counter, which counts the instructions
// of machine mode alone, stays at 0. Start-up and traps are those of tests/guest/user_trial.
#include "firmware/apps/workload/workload.h"
#include "firmware/sbi/sbi_pmu.h"
#include "hw/interface/maps/sample_record.h"
#include "tests/guest/user_trial/trial.h"

#include <stdint.h>

extern "C" {
void user_work();
char user_stack[16384];
}

// Each turn of the work on a stack of its own.
asm(".globl user_work\n"
    ".type user_work, @function\n"
    "user_work:\n"
    "    la sp, user_stack + 16384\n"
    "    call work_in_user_mode\n"
    "    ecall\n"
    ".size user_work, . - user_work\n");

namespace pes {

namespace {

constexpr uint16_t kScountinhibit = 0x120, kSiselect = 0x150, kSireg = 0x151, kSireg2 = 0x152;
constexpr uint64_t kSampler = 3, kWitness = 4;
constexpr uint64_t kCycles = 23, kInstructions = 24; // selectors of the profile cva6
constexpr uint64_t kPeriod = 1000;                   // cycles, give or take a fifth
constexpr uint64_t kTurns = 10;
constexpr unsigned kSamples = 12'000; // more than the turns take

SampleRecord records[kSamples];
unsigned samples = 0;
uint64_t period;
uint64_t random_state = 1;
bool has_cause;

void stop(uint64_t counters) {
    set_csr<kScountinhibit>(counters);
}

uint64_t value_of(uint64_t counter) {
    write_csr<kSiselect>(0x40 + counter);
    return read_csr<kSireg>();
}

/// Writing the event clears its overflow bit.
void start(uint64_t counter, uint64_t value, uint64_t event) {
    write_csr<kSiselect>(0x40 + counter);
    write_csr<kSireg>(value);
    write_csr<kSireg2>(event);
    clear_csr<kScountinhibit>(uint64_t{1} << counter);
}

/// Periods vary so that they do not fall into step with a loop.
void start_period() {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    constexpr uint64_t kSpread = kPeriod * 2 / 5;
    period = kPeriod - kSpread / 2 + (random_state >> 33) % kSpread;
    start(kSampler, -period, kCycles | csr::kMhpmeventSupervisorInhibit);
}

void record(uint64_t pc, uint64_t cycle) {
    SampleRecord& to = records[samples++];
    to = SampleRecord{};
    to.magic = kSampleMagic;
    to.size = kSampleSize;
    to.version = kSampleVersion;
    to.counter = kSampler;
    to.flags = has_cause ? kSampleCaused : 0;
    to.event = kCycles;
    to.pc = pc;
    to.cycle = cycle;
    to.threshold = period;
}

void write_records() {
    const sbi::Result result =
        sbi_call(sbi::kHost, sbi::host::kWrite, sbi::host::kSampleFile,
                 reinterpret_cast<uint64_t>(records), samples * sizeof(SampleRecord));
    expect("bytes written", result.value, samples * sizeof(SampleRecord));
}

} // namespace

/// Another function each time; which one, and with what, is the same in every run.
extern "C" void work_in_user_mode(uint64_t turn) {
    switch (turn % 5) {
    case 0:
        workload::multiply_matrices(1);
        break;
    case 1:
        workload::checksum_block(1);
        break;
    case 2:
        workload::sort_numbers(1);
        break;
    case 3:
        workload::walk_list(1);
        break;
    default:
        workload::search_text(1);
        break;
    }
}

extern "C" void overflow_interrupt() {
    const uint64_t cycle = read_csr<csr::kCycle>();
    stop(uint64_t{1} << kSampler);
    clear_csr<csr::kSip>(kInterruptLcofi);
    if ((read_csr<csr::kScountovf>() >> kSampler & 1) != 0 && samples < kSamples) {
        record(has_cause ? read_csr<csr::kShpmspc>() : read_csr<csr::kSepc>(), cycle);
        if (has_cause && read_csr<csr::kShpmsdata>() != kSampler) {
            ++failures;
        }
    }
    start_period();
}

extern "C" [[noreturn]] void report_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    print(put_byte, "unexpected trap: cause ", Hex{cause}, "  pc ", Hex{pc}, "  value ", Hex{value},
          "\n");
    ++failures;
    end();
}

extern "C" [[noreturn]] void run_tests() {
    write_csr<csr::kScounteren>(~uint64_t{0});
    has_cause = has_csr<csr::kShpmspc>();
    constexpr uint64_t kNotHere =
        csr::kMhpmeventSupervisorInhibit | csr::kMhpmeventUserInhibit; // the machine's alone
    constexpr uint64_t kBoth = uint64_t{1} << kSampler | uint64_t{1} << kWitness;
    stop(kBoth);
    start(kWitness, 0, kInstructions | kNotHere);
    sbi_call(sbi::kBase, sbi::base::kSpecVersion);
    // A firmware that has left the counters to the supervisor hides machine mode from them, and has
    // no PMU extension.
    const bool alone = sbi_call(sbi::kBase, sbi::base::kProbeExtension, sbi::kPmu).value == 0;
    expect("the PMU extension answers",
           sbi_call(sbi::kPmu, sbi::pmu::kNumCounters).error == sbi::kSuccess ? 1 : 0,
           alone ? 0 : 1);
    expect("the witness counts a call", value_of(kWitness) > 20 ? 1 : 0, alone ? 0 : 1);
    start(kWitness, 0, kInstructions | kNotHere);

    set_csr<csr::kSie>(kInterruptLcofi);
    start_period();
    for (uint64_t turn = 0; turn < kTurns; ++turn) {
        run_user(user_work, turn);
    }
    stop(kBoth);
    const uint64_t of_machine = value_of(kWitness);

    expect("instructions of machine mode while samples were taken", of_machine, 0);
    expect("room for more samples", samples < kSamples ? 1 : 0, 1);
    print(put_byte, "cycle_profile: ", samples, has_cause ? " causes, " : " interrupted, ",
          alone ? "no PMU extension, " : "", failures, " failures\n");
    write_records();
    end();
}

} // namespace pes
