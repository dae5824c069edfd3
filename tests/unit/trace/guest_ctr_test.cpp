// SPDX-License-Identifier: Apache-2.0
// Control transfer records against a full trace of the same run: the last transfers are those of
// the decoder's flow, and what RAS emulation holds is the decoder's call stack.
#include "decoder/trace/calls/call_tracker.h"
#include "hw/interface/maps/trace.h"
#include "hw/trace/program/program_tracer.h"
#include "platform/program/elf_code.h"
#include "tests/unit/decoder/trace/recorded_flow.h"
#include "tests/unit/trace/traced_guest.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::trace {
namespace {

using test::RecordingPort;
using test::TracedGuest;

constexpr Extensions kWithCtr{.smcsrind = true, .smctr = true};
constexpr std::uint16_t kMctrctl = 0x34E;
constexpr std::uint64_t kAllModes = 7, kRasEmulation = 1U << 7, kNotTaken = std::uint64_t{1} << 36;
constexpr std::uint64_t kValid = 1;
constexpr TimestampFormat kTimestamps{TimestampDialect::NTrace, kSiFiveTimestampBits};

struct Transfer {
    Address source = 0;
    std::optional<Address> target;
    RunEnd end = RunEnd::Plain; ///< of a trap
};

/// The transfers of a flow, oldest first.
class Transfers : public FlowSink {
  public:
    void ran(const InstructionRun& run) override {
        if (run.end != RunEnd::Plain) {
            all.push_back({run.last, run.next, run.end});
        }
    }
    void trapped(const FlowTrap& trap) override { all.push_back({trap.from, trap.to}); }
    void gap(const FlowGap& gap) override { ADD_FAILURE() << gap.detail; }

    std::vector<Transfer> all;
};

/// The call stack when the trace was switched off, innermost last.
class LastStack : public CallListener {
  public:
    void entered(std::uint16_t, const std::vector<Frame>&) override { ++calls; }
    void left(std::uint16_t, const std::vector<Frame>& stack, FrameEnd end, FlowTime) override {
        if (end == FrameEnd::Stopped && frames.empty()) {
            frames = stack;
        }
    }

    std::vector<Frame> frames;
    unsigned calls = 0;
};

/// What the hart's records say, newest first, and what the decoder makes of the trace.
struct Outcome {
    std::vector<TransferEntry> entries;
    std::vector<Transfer> transfers;
    std::vector<Frame> frames;
    unsigned calls = 0; ///< in all
};

Outcome trace_run(const std::string& file, std::uint64_t control, Cycle from, Cycle cycles) {
    TracedGuest guest(file, kWithCtr);
    guest.run_to(from);
    guest.hart().set_csr(kMctrctl, control);
    RecordingPort port;
    ProgramTracer tracer(port);
    tracer.configure({.mode = InstructionMode::History,
                      .events = trace_map::event::kContext,
                      .sync_units = 4096,
                      .dialect = TimestampDialect::NTrace});
    tracer.start(SyncReason::TraceEnable, 0);
    guest.hart().add_observer(tracer);
    guest.run_to(from + cycles);
    tracer.stop(CorrelationEvent::TraceDisabled, guest.hart().now());

    Outcome result;
    const TransferBuffer& buffer = guest.hart().transfer_records()->buffer();
    for (unsigned logical = 0; logical < buffer.depth(); ++logical) {
        result.entries.push_back(buffer.entry(logical));
    }
    ProgramImage image;
    add_program_code(image, file);
    Flow flow(image);
    Transfers transfers;
    LastStack stack;
    CallTracker calls(stack);
    flow.add_sink(transfers);
    flow.add_sink(calls);
    test::decode_messages(port, kTimestamps, flow);
    result.transfers = transfers.all;
    result.frames = stack.frames;
    result.calls = stack.calls;
    return result;
}

/// The types that an end of a run may be; of a run of NotTaken to TrapReturn.
bool fits(RunEnd end, unsigned type) {
    switch (end) {
    case RunEnd::Plain: // a trap
        return type == 1 || type == 2;
    case RunEnd::NotTaken:
        return type == 4;
    case RunEnd::Taken:
        return type == 5;
    case RunEnd::Jump:
        return type == 11 || type == 15;
    case RunEnd::IndirectJump:
        return type == 10 || type == 14;
    case RunEnd::Call:
        return type == 8 || type == 9;
    case RunEnd::Return:
        return type == 13;
    case RunEnd::ReturnAndCall:
        return type == 12;
    case RunEnd::TrapReturn:
        return type == 3;
    }
    return false;
}

constexpr const char* kCalling[] = {
    PES_FIRMWARE "/bench_int_mix.elf",
    PES_FIRMWARE "/bench_int_mix_sampling.elf", // counter interrupts
    PES_FIRMWARE "/pes_firmware.elf",
};
constexpr const char* kPrograms[] = {
    PES_FIRMWARE "/bench_int_mix.elf",   PES_FIRMWARE "/bench_int_mix_sampling.elf",
    PES_FIRMWARE "/bench_fp_matmul.elf", PES_DIRECTED "/delegation.elf",
    PES_DIRECTED "/exceptions.elf",      PES_DIRECTED "/status.elf",
    PES_DIRECTED "/vectors.elf",
};

class GuestCtr : public ::testing::TestWithParam<const char*> {};

TEST_P(GuestCtr, HoldsTheLastTransfersOfTheDecodersFlow) {
    unsigned full = 0;
    for (const Cycle cycles : {Cycle{300}, Cycle{2'000}, Cycle{5'003}, Cycle{20'011}, Cycle{40'007},
                               Cycle{80'021}, Cycle{200'000}}) {
        const Outcome result = trace_run(GetParam(), kAllModes | kNotTaken, 1000, cycles);
        const std::size_t count = std::min(result.transfers.size(), result.entries.size());
        full += result.transfers.size() >= result.entries.size() ? 1 : 0;
        for (std::size_t logical = 0; logical < result.entries.size(); ++logical) {
            const TransferEntry& entry = result.entries[logical];
            ASSERT_EQ(entry.source & kValid, logical < count ? kValid : 0) << logical;
            if (logical >= count) {
                continue;
            }
            const Transfer& told = result.transfers[result.transfers.size() - 1 - logical];
            ASSERT_EQ(entry.source & ~kValid, told.source) << cycles << ' ' << logical;
            ASSERT_TRUE(fits(told.end, entry.data & 0xF)) << cycles << ' ' << logical;
            ASSERT_TRUE(told.target || logical == 0);
            if (told.target) {
                ASSERT_EQ(entry.target & ~Address{1}, *told.target) << cycles << ' ' << logical;
            }
        }
    }
    EXPECT_GT(full, 2U) << "it must have wrapped";
}

INSTANTIATE_TEST_SUITE_P(Programs, GuestCtr, ::testing::ValuesIn(kPrograms));

class GuestRas : public ::testing::TestWithParam<const char*> {};

TEST_P(GuestRas, HoldsTheDecodersCallStack) {
    std::size_t deepest = 0;
    unsigned calls = 0;
    for (Cycle cycles = 50; cycles < 150'000; cycles = cycles * 5 / 4 + 7) {
        const Outcome result = trace_run(GetParam(), kAllModes | kRasEmulation, 1, cycles);
        std::vector<Frame> frames;
        std::ranges::copy_if(result.frames, std::back_inserter(frames),
                             [](const Frame& one) { return one.kind == FrameKind::Call; });
        for (std::size_t logical = 0; logical < result.entries.size(); ++logical) {
            const TransferEntry& entry = result.entries[logical];
            ASSERT_EQ(entry.source & kValid, logical < frames.size() ? kValid : 0) << cycles;
            if (logical < frames.size()) {
                const Frame& frame = frames[frames.size() - 1 - logical];
                ASSERT_EQ(entry.source & ~kValid, frame.site) << cycles << ' ' << logical;
                ASSERT_EQ(entry.target & ~Address{1}, frame.entry) << cycles << ' ' << logical;
            }
        }
        deepest = std::max(deepest, frames.size());
        calls = std::max(calls, result.calls);
    }
    EXPECT_GT(deepest, 1U);
    EXPECT_GT(calls, 20U);
}

INSTANTIATE_TEST_SUITE_P(Programs, GuestRas, ::testing::ValuesIn(kCalling));

} // namespace
} // namespace pes::trace
