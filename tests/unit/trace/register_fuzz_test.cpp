// SPDX-License-Identifier: Apache-2.0
// Random accesses of every size to the registers of encoder, funnel and sink, in both sets, between
// stimuli and triggers: nothing aborts, a hart that may stall goes on, a sink writes nothing
// outside of what it says that it will write, and after a reset the blocks work.
#include "hw/common/module_logger.h"
#include "hw/trace/encoder/encoder.h"
#include "hw/trace/sinks/funnel.h"
#include "hw/trace/sinks/ram_sink.h"
#include "tests/unit/trace/encoder_surroundings.h"
#include "tests/unit/trace/sink_bench.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace pes::trace::test {
namespace {

constexpr std::uint32_t kSram = 1U << trace_map::sink::kSram;
constexpr std::uint32_t kMemory = 1U << trace_map::sink::kMemory;
constexpr std::uint32_t kProbe = 1U << trace_map::sink::kProbe;
constexpr std::uint32_t kFunnel = 1U << trace_map::sink::kFunnel;

/// Refuses bursts to odd pages, and notes those that the sink has not announced.
class CheckingMemory final : public MemoryPort {
  public:
    Answer write(Address address, std::span<const std::uint8_t> bytes) override {
        const MemoryRange announced = sink->buffer();
        const bool inside = address >= announced.base && bytes.size() <= announced.size &&
                            address - announced.base <= announced.size - bytes.size();
        outside += inside ? 0 : 1;
        ++bursts;
        return {.accepted = (address >> 12 & 1) == 0};
    }
    TraceSink* sink = nullptr;
    unsigned outside = 0;
    unsigned bursts = 0;
};

/// Encoder, funnel and the funnel's sink; the hart waits until the sink has taken something.
class Blocks final : private TracedHart {
  public:
    explicit Blocks(RegisterSet set)
        : sink_("sink",
                {.sinks = set == RegisterSet::Standard ? kSram | kMemory : kSram | kMemory | kProbe,
                 .word_bytes = 8,
                 .sram_bytes = 256,
                 .burst_bytes = 32,
                 .port = {.base = 0x4000, .size = 0x1000}},
                clock_, &memory, &probe_),
          wire_("wire", {.sinks = kFunnel, .word_bytes = 8, .burst_bytes = 32}, clock_, nullptr,
                nullptr),
          funnel_({.registers = set}, sink_),
          encoder_({.registers = set, .timestamps = {TimestampDialect::NTrace, 40}}, wire_) {
        memory.sink = &sink_;
        if (set == RegisterSet::Standard) {
            ram_.emplace("ram", sink_);
        }
        wire_.set_funnel(funnel_.add_input(encoder_.messages()));
        encoder_.connect(this);
        encoder_.connect(&tracer_);
    }

    void access(std::mt19937& random) {
        if (random() % 8 == 0) {
            plausible(random);
        }
        RegisterBlock* const all[] = {&encoder_.registers(), &funnel_.registers(),
                                      ram_ ? &ram_->registers() : &funnel_.registers()};
        RegisterBlock& block = *all[random() % 3];
        const unsigned size = 1U << random() % 8; // 1 to 128 bytes: sizes that there are not, too
        Address offset = random() % 3 == 0 ? random() % 0x1000 : 4 * (random() % 0x20);
        offset = random() % 4 == 0 ? 0 : offset;
        offset = random() % 4 == 0 ? 0x400 + 4 * (random() % 0x100) : offset; // filters
        std::uint64_t value = random() % 2 == 0 ? random() : random() % 0x200;
        if (random() % 2 == 0) {
            std::uint64_t ignored = 0;
            block.read(offset, size % 16, ignored, now_);
        }
        block.write(offset, random() % 8 == 0 ? size : 4, value, now_);
        encoder_.write_stimulus(random() % 32, 4, random(), now_);
        encoder_.trigger(random() % 16, now_);
        run_to(now_ + random() % 300);
    }

    /// One of the writes that a trace into memory needs: alone, random ones hardly ever come there.
    void plausible(std::mt19937& random) {
        struct Write {
            RegisterBlock& block;
            Address offset;
            std::uint64_t value;
        };
        const std::uint32_t stall = random() & 1U << 13;
        RegisterBlock& encoder = encoder_.registers();
        RegisterBlock& funnel = funnel_.registers();
        if (ram_) {
            const Write writes[] = {{encoder, 0, 7 | stall},
                                    {encoder, 0xE00, 1},
                                    {encoder, 0xE04, ~0U},
                                    {funnel, 0, 3},
                                    {ram_->registers(), 0, 0x13 | (random() & 0x100)}};
            const Write& write = writes[random() % 5];
            write.block.write(write.offset, 4, write.value, now_);
        } else {
            const std::uint32_t control = 3 | 7U << 28 | (random() & 1U << 14);
            const Write writes[] = {
                {encoder, 0, 7 | 1U << 7 | stall}, {encoder, 0x060, ~0U}, {funnel, 0, control}};
            const Write& write = writes[random() % 3];
            write.block.write(write.offset, 4, write.value, now_);
        }
    }

    /// From reset on, as the standard or SiFive's firmware does it.
    std::size_t bytes_after_reset(RegisterSet set) {
        const auto write = [this](RegisterBlock& block, Address offset, std::uint32_t value) {
            EXPECT_EQ(block.write(offset, 4, value, now_), AccessStatus::Ok);
        };
        const bool standard = set == RegisterSet::Standard;
        RegisterBlock& encoder = encoder_.registers();
        for (RegisterBlock* block : {&encoder, &funnel_.registers()}) {
            write(*block, 0, 0);
            write(*block, 0, 1);
        }
        if (standard) {
            write(ram_->registers(), 0, 0);
            write(ram_->registers(), 0, 1);
            write(ram_->registers(), 0, 3);
            write(encoder, 0xE00, 1);
        }
        write(funnel_.registers(), 0, standard ? 3 : 3 | 4U << 28); // SiFive: SRAM
        write(encoder, standard ? 0xE04 : 0x060, ~0U);
        write(encoder, 0, standard ? 7 : 7 | 1U << 7);
        const std::uint64_t before = sink_.statistics().written;
        encoder_.write_stimulus(3, 4, 0x1234'5678, now_);
        write(encoder, 0, 1);
        run_to(now_ + 10'000);
        return sink_.statistics().written - before;
    }

    CheckingMemory memory;

  private:
    void run_to(Cycle cycle) {
        while (clock_.pending && *clock_.pending <= cycle) {
            now_ = std::max(now_, *clock_.pending);
            clock_.pending.reset();
            sink_.serve(now_);
            wire_.serve(now_);
        }
        now_ = std::max(now_, cycle);
    }
    void catch_up(Cycle at) override { run_to(at); }
    Cycle wait_for_pull(Cycle at) override {
        run_to(at + 1000);
        ++waits_;
        EXPECT_LT(waits_, 1'000'000U) << "a hart waits for ever";
        return now_;
    }
    void stop_waiting(Cycle) override {}
    Address pc() const override { return 0x8000'0000; }

    FakeClock clock_;
    FakeProbe probe_;
    FakeTracer tracer_;
    TraceSink sink_;
    TraceSink wire_; ///< of the encoder, in front of the funnel
    Funnel funnel_;
    Encoder encoder_;
    std::optional<RamSink> ram_;
    Cycle now_ = 0;
    unsigned waits_ = 0;
};

class RegisterFuzz : public testing::TestWithParam<std::tuple<RegisterSet, unsigned>> {};

INSTANTIATE_TEST_SUITE_P(, RegisterFuzz,
                         testing::Combine(testing::Values(RegisterSet::SiFive,
                                                          RegisterSet::Standard),
                                          testing::Range(1U, 9U)),
                         [](const auto& info) {
                             const bool standard = std::get<0>(info.param) == RegisterSet::Standard;
                             return std::string(standard ? "standard_" : "sifive_") +
                                    std::to_string(std::get<1>(info.param));
                         });

TEST_P(RegisterFuzz, BadUseStopsNothing) {
    const auto [set, seed] = GetParam();
    std::mt19937 random(seed); // the standard fixes its sequence
    Blocks blocks(set);
    for (const char* name : {"encoder", "funnel", "ram", "sink", "wire"}) {
        module_logger(name)->set_level(spdlog::level::off); // each access may have a line
    }
    for (unsigned count = 0; count < 5000; ++count) {
        blocks.access(random);
    }
    EXPECT_EQ(blocks.memory.outside, 0U);
    EXPECT_GT(blocks.memory.bursts, 0U) << "the test does not reach the memory sink";
    EXPECT_GE(blocks.bytes_after_reset(set), 8U);
}

} // namespace
} // namespace pes::trace::test
