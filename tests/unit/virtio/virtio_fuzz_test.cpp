// SPDX-License-Identifier: Apache-2.0
// Whatever a driver writes, a device neither crashes nor writes outside of memory, comes to rest,
// and works again after a reset.
#include "hw/common/random_numbers.h"
#include "hw/virtio/virtio_console.h"
#include "tests/unit/virtio/test_driver.h"

#include <spdlog/spdlog.h>

namespace pes {
namespace {

using test::TestDriver;
using namespace virtio;

class Fuzz : public testing::Test {
  protected:
    Fuzz() { spdlog::set_level(spdlog::level::off); }
    ~Fuzz() override { spdlog::set_level(spdlog::level::info); }

    /// Mostly addresses in memory, and values at the edges.
    std::uint64_t address() {
        switch (random.below(8)) {
        case 0:
            return random.next();
        case 1:
            return test::kMemoryBase + 0x10000 - random.below(64);
        default:
            return test::kMemoryBase + random.below(0x10000);
        }
    }
    std::uint32_t length() {
        return static_cast<std::uint32_t>(random.below(16) == 0 ? random.next()
                                                                : random.below(0x100));
    }
    void random_table(Address table, unsigned entries) {
        for (unsigned number = 0; number < entries; ++number) {
            const unsigned flags = static_cast<unsigned>(
                random.below(8) == 0 ? random.below(0x1'0000) : random.below(4));
            const bool indirect = random.below(8) == 0;
            d.descriptor(number, indirect ? TestDriver::kDescriptors + 0x400 : address(),
                         indirect ? static_cast<std::uint32_t>(16 * random.below(9)) : length(),
                         indirect ? unsigned{kIndirect} : flags,
                         static_cast<unsigned>(random.below(random.below(8) == 0 ? 0x1'0000 : 8)),
                         table);
        }
    }
    /// A correct request still gets its answer.
    void expect_alive() {
        d.device.advance(at);
        d.write(kStatus, 0, at);
        d.available = {};
        d.memory.put(TestDriver::kAvailable, std::uint32_t{0});
        d.memory.put(TestDriver::kUsed, std::uint32_t{0});
        d.negotiate();
        d.start_queue();
        d.memory.put(TestDriver::kBuffers, 'x');
        d.descriptor(0, TestDriver::kBuffers, 1, kNext, 1);
        d.descriptor(1, TestDriver::kBuffers + 1, 1, kWrite);
        d.offer(0);
        d.notify(at);
        d.run();
        ASSERT_EQ(d.used(), 1U);
        ASSERT_EQ(d.memory.text(TestDriver::kBuffers + 1, 1), "y");
    }

    RandomNumbers random{20260101};
    test::TestFunction* function = new test::TestFunction;
    TestDriver d{std::unique_ptr<VirtioFunction>(function),
                 {.request_cycles = 3, .bytes_per_cycle = 64}};
    Cycle at = 0;
};

TEST_F(Fuzz, DescriptorTables) {
    for (unsigned round = 0; round < 100'000; ++round) {
        d.write(kStatus, 0, at);
        d.available = {};
        d.negotiate(std::uint64_t{1} << kVersion1 | random.below(4) << kIndirectDescriptors);
        d.start_queue();
        d.memory.put(TestDriver::kAvailable, std::uint32_t{0});
        random_table(TestDriver::kDescriptors, 8);
        random_table(TestDriver::kDescriptors + 0x400, 8);
        const std::uint64_t chains = 1 + random.below(8);
        for (std::uint64_t chain = 0; chain < chains; ++chain) {
            d.offer(static_cast<unsigned>(random.below(9)));
        }
        d.notify(at);
        unsigned steps = 0;
        while (d.device.next_change() != kNever && ++steps < 100'000) {
            at = std::max(at, d.device.next_change());
            d.device.advance(d.device.next_change());
            if (random.below(64) == 0) { // a chain may write the rings
                break;
            }
        }
        ASSERT_LT(steps, 100'000U);
        at = d.device.next_change() == kNever ? at : d.device.next_change();
        if (round % 1000 == 0) {
            ASSERT_NO_FATAL_FAILURE(expect_alive());
        }
    }
    EXPECT_GT(function->requests, 50'000U); // many tables are correct
}

TEST_F(Fuzz, Registers) {
    for (unsigned round = 0; round < 100'000; ++round) {
        const Address offset = random.below(4) == 0 ? random.below(0x200) : 4 * random.below(0x44);
        const unsigned size = random.below(8) == 0 ? 1U << random.below(4) : 4;
        std::uint64_t value = random.below(2) == 0 ? random.below(16) : address();
        if (random.below(2) == 0) {
            (void)d.device.registers().read(offset, size, value, at);
        } else {
            (void)d.device.registers().write(offset, size, value, at);
        }
        if (random.below(4) == 0) {
            d.device.advance(at += random.below(50));
        }
        if (round % 100 == 0) {
            ASSERT_NO_FATAL_FAILURE(expect_alive());
        }
    }
}

/// Both queues of a console, with anything in their rings, while input comes and ends.
TEST(ConsoleFuzz, QueuesAndInput) {
    spdlog::set_level(spdlog::level::off);
    RandomNumbers random{20260202};
    struct Input : ConsoleInput {
        explicit Input(RandomNumbers& numbers) : random(numbers) {}
        std::optional<std::uint8_t> next() override {
            return random.below(3) == 0 ? std::nullopt
                                        : std::optional(static_cast<std::uint8_t>(random.next()));
        }
        bool ended() override { return random.below(64) == 0; }
        RandomNumbers& random;
    } input(random);
    std::uint64_t sent = 0;
    TestDriver d(
        std::make_unique<VirtioConsole>(
            [&sent](std::span<const std::byte> bytes) { sent += bytes.size(); }, &input, 50),
        {.request_cycles = 3, .bytes_per_cycle = 64});
    Cycle at = 0;
    for (unsigned round = 0; round < 50'000; ++round) {
        d.device.advance(at);
        d.negotiate(std::uint64_t{1} << kVersion1 | random.below(4) << kIndirectDescriptors);
        d.make_ready(1);
        d.start_queue();
        d.available = {};
        for (unsigned queue = 0; queue < 2; ++queue) {
            const Address part = queue * TestDriver::kNextQueue;
            d.memory.put(TestDriver::kAvailable + part, std::uint32_t{0});
            for (unsigned number = 0; number < 8; ++number) {
                d.descriptor(number, test::kMemoryBase + random.below(0x10010),
                             static_cast<std::uint32_t>(random.below(0x100)),
                             static_cast<unsigned>(random.below(random.below(8) == 0 ? 8 : 4)),
                             static_cast<unsigned>(random.below(9)),
                             TestDriver::kDescriptors + part);
            }
            for (std::uint64_t chain = random.below(4); chain > 0; --chain) {
                d.offer(static_cast<unsigned>(random.below(9)), queue);
            }
            d.notify(at, queue);
        }
        d.write(kConfig + kConsoleEmergencyField, static_cast<std::uint32_t>(random.next()), at);
        for (unsigned step = 0; step < 20 && d.device.next_change() != kNever; ++step) {
            at = std::max(at, d.device.next_change());
            d.device.advance(at);
        }
    }
    spdlog::set_level(spdlog::level::info);
    EXPECT_GT(sent, 500'000U); // many chains are correct
}

} // namespace
} // namespace pes
