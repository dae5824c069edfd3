// SPDX-License-Identifier: Apache-2.0
// Firmware on a hart: an encoder that is attached in mid-run, interrupts, and the instructions that
// come out of the messages.
#include "hw/common/maps/trace.h"
#include "hw/trace/program_tracer.h"
#include "tests/unit/trace/recording_port.h"
#include "tests/unit/trace/reference_reader.h"
#include "tests/unit/trace/traced_guest.h"

#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using test::RecordingPort;
using test::ReferenceReader;
using test::RetirementLog;
using test::TracedGuest;

constexpr Cycle kBefore = 20'000;
constexpr Cycle kTraced = 400'000;

class GuestTrace
    : public ::testing::TestWithParam<std::tuple<const char*, InstructionMode, TimestampDialect>> {
  protected:
    std::filesystem::path program() const {
        return std::filesystem::path(PES_FIRMWARE) /
               (std::string(std::get<0>(GetParam())) + ".elf");
    }
    InstructionMode mode() const { return std::get<1>(GetParam()); }
};

/// Runs on with a timer interrupt every 10,000 cycles, for guests that have enabled it.
void run_with_interrupts(TracedGuest& guest, Cycle to) {
    for (Cycle at = guest.hart().now(); at < to; at += 10'000) {
        guest.hart().set_interrupt(Interrupt::MachineTimer, true, at);
        guest.hart().set_interrupt(Interrupt::MachineTimer, false, at + 500);
        guest.run_to(at + 10'000);
    }
}

TEST_P(GuestTrace, SaysWhatTheHartExecuted) {
    TracedGuest guest(program());
    guest.run_to(kBefore);
    RecordingPort port;
    ProgramTracer tracer(port);
    RetirementLog log;
    tracer.configure({.mode = mode(),
                      .events = trace_map::event::kContext,
                      .sync_units = 4096,
                      .dialect = std::get<2>(GetParam())});
    tracer.start(SyncReason::TraceEnable, 0);
    guest.hart().add_observer(log);
    guest.hart().add_observer(tracer);
    run_with_interrupts(guest, kBefore + kTraced);
    tracer.stop(CorrelationEvent::TraceDisabled, guest.hart().now());
    guest.hart().remove_observer(log);
    guest.hart().remove_observer(tracer);
    const std::size_t messages = port.sent.size();
    guest.run_to(kBefore + 2 * kTraced);
    EXPECT_EQ(port.sent.size(), messages);

    ReferenceReader reader(log.code, mode() == InstructionMode::OptimisedHistory
                                         ? ReferenceReader::Returns::Implicit
                                         : ReferenceReader::Returns::Reported);
    Cycle last = 0;
    for (const RecordingPort::Sent& one : port.sent) {
        reader.read(one.message);
        ASSERT_EQ(reader.mistake(), "");
        ASSERT_GE(one.at, last);
        last = one.at;
    }
    EXPECT_GT(log.executed.size(), kTraced / 10);
    EXPECT_EQ(reader.take(), log.executed);
}

INSTANTIATE_TEST_SUITE_P(
    All, GuestTrace,
    ::testing::Combine(::testing::Values("bench_int_mix", "bench_int_mix_sampling",
                                         "bench_fp_matmul", "sbi_test", "workload"),
                       ::testing::Values(InstructionMode::Branches, InstructionMode::History,
                                         InstructionMode::OptimisedHistory),
                       ::testing::Values(TimestampDialect::SiFive, TimestampDialect::NTrace)));

} // namespace
} // namespace pes::trace
