// SPDX-License-Identifier: Apache-2.0
// Firmware on a hart: an encoder that is attached in mid-run, interrupts, and the instructions that
// come out of the messages.
#include "hw/interface/maps/trace.h"
#include "hw/trace/program/program_tracer.h"
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

constexpr Cycle kBefore = 1000;
constexpr Cycle kTraced = 200'000;

enum class Traps : std::uint8_t { None, Some };

struct Guest {
    const char* file; ///< in the build tree
    Traps traps;
};

constexpr Guest kGuests[] = {
    {PES_FIRMWARE "/bench_int_mix.elf", Traps::None},
    {PES_FIRMWARE "/bench_int_mix_sampling.elf", Traps::Some}, // counter interrupts
    {PES_FIRMWARE "/bench_fp_matmul.elf", Traps::None},
    {PES_DIRECTED "/delegation.elf", Traps::Some},
    {PES_DIRECTED "/exceptions.elf", Traps::Some},
    {PES_DIRECTED "/status.elf", Traps::Some},
    {PES_DIRECTED "/translation.elf", Traps::Some},
    {PES_DIRECTED "/vectors.elf", Traps::Some},
};

class GuestTrace
    : public ::testing::TestWithParam<std::tuple<Guest, InstructionMode, TimestampDialect>> {
  protected:
    Guest guest() const { return std::get<0>(GetParam()); }
    InstructionMode mode() const { return std::get<1>(GetParam()); }
};

TEST_P(GuestTrace, SaysWhatTheHartExecuted) {
    TracedGuest guest(this->guest().file);
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
    guest.run_to(kBefore + kTraced);
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
    EXPECT_GT(log.executed.size(), 1000U);
    EXPECT_EQ(log.traps != 0, this->guest().traps == Traps::Some) << log.traps;
    EXPECT_EQ(reader.take(), log.executed);
}

INSTANTIATE_TEST_SUITE_P(
    All, GuestTrace,
    ::testing::Combine(::testing::ValuesIn(kGuests),
                       ::testing::Values(InstructionMode::Branches, InstructionMode::History,
                                         InstructionMode::OptimisedHistory),
                       ::testing::Values(TimestampDialect::SiFive, TimestampDialect::NTrace)));

} // namespace
} // namespace pes::trace
