// SPDX-License-Identifier: Apache-2.0
// The hart runs as many blocks ahead as a tracer allows. Whatever they are, their messages must not
// have to wait for room: by then it is too late to hold the hart.
#include "hw/common/register_block.h"
#include "hw/interface/maps/trace.h"
#include "hw/trace/encoder/message_sender.h"
#include "hw/trace/program/program_tracer.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace pes::trace {
namespace {

constexpr std::size_t kFifo = 256;

/// Counts how often it is held; the sink then takes everything.
class HeldHart final : public TracedHart {
  public:
    explicit HeldHart(MessageQueue& queue) : queue_(queue) {}
    void catch_up(Cycle) override {}
    Cycle wait_for_pull(Cycle at) override {
        ++held;
        take(queue_.messages());
        return at;
    }
    void stop_waiting(Cycle) override {}
    Address pc() const override { return 0; }

    void take(std::size_t messages) {
        for (PackedMessage message; messages != 0; --messages) {
            queue_.pull(message, kNever);
        }
    }
    unsigned held = 0;

  private:
    MessageQueue& queue_;
};

using Random = std::mt19937_64;

template <typename Value, std::size_t Count>
Value one_of(Random& random, const std::array<Value, Count>& values) {
    return values[random() % Count];
}

InstructionTraceSettings random_settings(Random& random, TimestampDialect dialect) {
    constexpr std::array kModes{InstructionMode::Events, InstructionMode::Branches,
                                InstructionMode::History, InstructionMode::OptimisedHistory};
    constexpr std::array<std::uint64_t, 4> kMessages{0, 16, 32, 256};
    constexpr std::array<std::uint64_t, 5> kUnits{0, 32, 128, 512, 4096};
    return {.mode = one_of(random, kModes),
            .events = random() % 4 == 0
                          ? 0
                          : static_cast<std::uint32_t>(random()) & trace_map::event::kAll,
            .sync_messages = one_of(random, kMessages),
            .sync_units = one_of(random, kUnits),
            .sync_cycles = random() % 3 == 0 ? 100U : 0U,
            .options = {.implicit_returns = random() % 2 == 0, .repeats = random() % 2 == 0},
            .dialect = dialect};
}

/// Blocks that go anywhere, some cycles or very many apart; of some runs all are of one kind, or as
/// long as can be.
class RandomBlocks {
  public:
    explicit RandomBlocks(Random& random)
        : random_(random), all_calls_(random() % 2 == 0), all_long_(random() % 2 == 0) {}

    /// Behind `now`.
    RetiredBlock next(Cycle& now, Privilege privilege) {
        constexpr std::uint32_t kAdd = 0x00b50533, kReturn = 0x8082, kCallA5 = 0x9782,
                                kJumpA0 = 0x8502, kCall = 0x001000ef, kBranch = 0xc119,
                                kLongCall = 0x000780e7; // jalr ra, a5
        constexpr std::array kLast{kAdd, kReturn, kCallA5, kJumpA0, kCall, kBranch, kBranch};
        std::vector<RetiredStep>& steps = steps_.emplace_back();
        const bool long_one = all_long_ || random_() % 4 == 0;
        const std::size_t count = long_one ? kMostBlockInstructions : 1 + random_() % 4;
        std::uint32_t half_words = 0;
        for (std::size_t index = 0; index + 1 < count; ++index) {
            half_words += long_one ? 2 : 1 + random_() % 2;
            steps.push_back(
                {.cycles = static_cast<std::uint32_t>(index + 1), .half_words = half_words});
        }
        const std::uint32_t raw = all_calls_ ? kLongCall : one_of(random_, kLast);
        const Address last_pc = pc_ + 2 * half_words;
        half_words += instruction_length(raw) / 2;
        steps.push_back({.cycles = static_cast<std::uint32_t>(count), .half_words = half_words});
        RetiredBlock block{.from = now,
                           .pc = pc_,
                           .next_pc = 0,
                           .steps = steps,
                           .last_pc = last_pc,
                           .flow = classify_flow(raw),
                           .last_raw = raw,
                           .privilege = privilege};
        block.next_pc = behind(block.flow, last_pc);
        pc_ = block.next_pc;
        now += count + (all_calls_ || random_() % 16 == 0 ? random_() >> 24 : 0);
        return block;
    }

  private:
    Address behind(const InstructionFlow& flow, Address pc) {
        const bool jumps = flow.kind == FlowKind::DirectJump ||
                           (flow.kind == FlowKind::Branch && random_() % 2 == 0);
        return flow.kind == FlowKind::IndirectJump ? random_() & ~std::uint64_t{1}
               : jumps                             ? flow.target(pc)
                                                   : pc + flow.length;
    }

    Random& random_;
    const bool all_calls_, all_long_;
    Address pc_ = 0x8000'0000;
    std::vector<std::vector<RetiredStep>> steps_;
};

void runs_ahead(unsigned seed) {
    Random random(seed);
    const auto dialect = seed % 2 == 0 ? TimestampDialect::SiFive : TimestampDialect::NTrace;
    TimestampUnit time({.type = TimestampType::External, .dialect = dialect});
    RegisterBlock registers("time", trace_map::kBlockBytes, time.registers());
    namespace ts = trace_map::timestamp;
    registers.write(trace_map::kTimestampControl, 4,
                    ts::kActive | ts::kEnable | 3U << ts::kBranchShift, 0);
    MessageQueue queue(kFifo);
    MessageSender sender(queue, time, {.dialect = dialect});
    HeldHart hart(queue);
    sender.connect(&hart);
    const unsigned source_bits = random() % 2 == 0 ? kMostSourceBits : 0;
    const auto addresses = seed % 4 == 3 ? AddressForm::Extended : AddressForm::Plain;
    sender.configure({.source = (1U << source_bits) - 1,
                      .source_bits = source_bits,
                      .when_full = FullFifo::StallHart,
                      .addresses = addresses});
    ProgramTracer tracer(sender);
    const InstructionTraceSettings settings = random_settings(random, dialect);
    tracer.configure(settings);
    tracer.take(ProgramTracer::Blocks::Allowed);
    Cycle now = 1;
    sender.start();
    tracer.start(SyncReason::TraceEnable, now);

    std::size_t ahead = 0;
    RandomBlocks blocks(random);
    for (unsigned window = 0; window != 400; ++window) {
        const auto privilege = window % 5 == 0 ? Privilege::User : Privilege::Machine;
        hart.take(random() % (queue.messages() + 1));
        const std::size_t count = std::min<std::size_t>(tracer.blocks_ahead(now), 64);
        ahead += count;
        std::vector<RetiredBlock> told;
        for (std::size_t number = 0; number != count; ++number) {
            told.push_back(blocks.next(now, privilege));
        }
        tracer.retired_blocks(told);
        ASSERT_EQ(hart.held, 0U) << "mode " << static_cast<int>(settings.mode) << ", " << count
                                 << " blocks in window " << window;
        if (count == 0) {
            hart.take(queue.messages());
        }
    }
    const bool samples_often = settings.mode == InstructionMode::Events &&
                               settings.sync_units != 0 && settings.sync_units < 512;
    EXPECT_TRUE(ahead > 400 || samples_often) << "only " << ahead << ", which is not worth it";
}

TEST(BlocksAhead, NeverHaveToWaitForRoom) {
    for (unsigned seed = 0; seed != 400; ++seed) {
        SCOPED_TRACE(seed);
        runs_ahead(seed);
        if (testing::Test::HasFailure()) {
            return;
        }
    }
}

} // namespace
} // namespace pes::trace
