// SPDX-License-Identifier: Apache-2.0
// Expectations: VIRTIO 1.2, sections 2.1, 3.1.1 and 4.2.
#include "hw/virtio/virtio_mmio.h"

#include "hw/virtio/entropy.h"
#include "tests/unit/virtio/test_driver.h"

namespace pes {
namespace {

using Changes = std::vector<test::LevelChange>;
using test::TestDriver;
using namespace virtio;

constexpr std::uint64_t kOne = std::uint64_t{1} << kVersion1;
constexpr std::uint64_t kWithIndirect = kOne | std::uint64_t{1} << kIndirectDescriptors;

class Virtio : public testing::Test {
  protected:
    /// One request "abc" in two pieces, whose answer has room for 5 bytes in two pieces.
    void offer_request() {
        for (unsigned index = 0; index < 3; ++index) {
            d.memory.put(TestDriver::kBuffers + index, static_cast<char>('a' + index));
        }
        d.descriptor(2, TestDriver::kBuffers, 1, kNext, 5);
        d.descriptor(5, TestDriver::kBuffers + 1, 2, kNext, 0);
        d.descriptor(0, TestDriver::kBuffers + 0x100, 2, kNext | kWrite, 1);
        d.descriptor(1, TestDriver::kBuffers + 0x200, 3, kWrite);
        d.offer(2);
    }

    test::TestFunction* function = new test::TestFunction;
    TestDriver d{std::unique_ptr<VirtioFunction>(function),
                 {.request_cycles = 100, .bytes_per_cycle = 4}};
};

// 4.2.2, table 4.1
TEST_F(Virtio, NamesItself) {
    EXPECT_EQ(d.read(0x000), 0x7472'6976U);
    EXPECT_EQ(d.read(0x004), 2U);
    EXPECT_EQ(d.read(0x008), 42U);
    EXPECT_EQ(d.read(0x034), 8U);
    EXPECT_EQ(d.read(0x0FC), 0U);
    d.write(0x0AC, 3); // 4.2.2: a region that is not there has length -1
    EXPECT_EQ(d.read(0x0B0), 0xFFFF'FFFFU);
    EXPECT_EQ(d.read(0x0B4), 0xFFFF'FFFFU);
}

// 4.2.2.2: 32 bits for registers, the width of the field for the configuration
TEST_F(Virtio, TakesAccessesOfTheRightWidthOnly) {
    std::uint64_t value = 0;
    EXPECT_NE(d.device.registers().read(0, 1, value, 0), AccessStatus::Ok);
    EXPECT_NE(d.device.registers().read(0x070, 8, value, 0), AccessStatus::Ok);
    EXPECT_NE(d.device.registers().write(0x034, 4, 1, 0), AccessStatus::Ok);
    EXPECT_EQ(d.read(0x100), 0x5566'7788U);
    EXPECT_EQ(d.read(0x104), 0x1122'3344U);
    EXPECT_EQ(d.read(0x108, 0, 2), 0x99AAU);
    EXPECT_EQ(d.read(0x10A, 0, 1), 7U);
    EXPECT_NE(d.device.registers().write(0x100, 4, 1, 0), AccessStatus::Ok);
}

TEST_F(Virtio, OffersItsFeaturesByWords) {
    const std::uint32_t expected[] = {0b101 | 1U << 28 | 1U << 29, 1, 0, 0};
    for (unsigned word = 0; word < 4; ++word) {
        d.write(0x014, word);
        EXPECT_EQ(d.read(0x010), expected[word]) << word;
    }
}

// 3.1.1, step 6: the driver reads back whether its features are accepted
TEST_F(Virtio, AcceptsWhatIsOfferedWithVersion1) {
    const std::pair<std::uint64_t, bool> choices[] = {
        {kOne, true}, {kOne | 0b101, true}, {0b101, false}, {kOne | 0b10, false}, {0, false}};
    for (const auto& [features, accepted] : choices) {
        d.negotiate(features);
        EXPECT_EQ((d.read(0x070) & kFeaturesOk) != 0, accepted) << features;
    }
    d.negotiate(0);
    d.write(0x070, kAcknowledge | kDriver | kDriverOk);
    EXPECT_EQ(d.read(0x070), kAcknowledge | kDriver);
}

TEST_F(Virtio, KeepsItsFeaturesBehindFeaturesOk) {
    d.negotiate(kWithIndirect);
    d.write(0x024, 0);
    d.write(0x020, 0);
    d.start_queue();
    d.descriptor(0, TestDriver::kDescriptors + 0x400, 16, kIndirect);
    d.descriptor(0, TestDriver::kBuffers, 4, kWrite, 0, TestDriver::kDescriptors + 0x400);
    d.offer(0);
    d.notify();
    d.run();
    EXPECT_EQ(d.used(), 1U);
}

// 2.1.1: bits are never cleared except by a reset
TEST_F(Virtio, ResetClearsEverything) {
    d.start();
    offer_request();
    d.notify();
    d.run();
    EXPECT_EQ(d.read(0x060), kUsedBuffer);
    d.write(0x070, kAcknowledge);
    EXPECT_EQ(d.read(0x070), kAcknowledge | kDriver | kFeaturesOk | kDriverOk);
    d.write(0x070, 0, 5000);
    EXPECT_EQ(d.read(0x070), 0U);
    EXPECT_EQ(d.read(0x060), 0U);
    EXPECT_EQ(d.read(0x044), 0U);
    EXPECT_EQ(function->resets, 2U); // each driver begins with one
    EXPECT_EQ(d.interrupt.changes.back(), (test::LevelChange{0, false, 5001}));
}

TEST_F(Virtio, ResetDropsARequestInHand) {
    d.start();
    offer_request();
    d.notify(1000);
    d.device.advance(1100);
    EXPECT_EQ(function->requests, 1U);
    d.write(0x070, 0, 1101);
    EXPECT_EQ(d.device.next_change(), kNever);
    EXPECT_EQ(d.used(), 0U);
}

// 4.2.3.2
TEST_F(Virtio, HasOneQueue) {
    d.negotiate();
    d.write(0x030, 1);
    EXPECT_EQ(d.read(0x034), 0U);
    EXPECT_EQ(d.read(0x044), 0U);
    d.write(0x038, 8);
    d.write(0x044, 1);
    EXPECT_EQ(d.read(0x044), 0U);
    d.write(0x030, 0);
    for (const unsigned size : {0U, 3U, 16U}) { // not a power of two, or above QueueNumMax
        d.write(0x038, size);
        d.write(0x044, 1);
        EXPECT_EQ(d.read(0x044), 0U) << size;
        EXPECT_NE(d.read(0x070) & kNeedsReset, 0U);
        d.negotiate();
    }
    d.start_queue(4);
    EXPECT_EQ(d.read(0x044), 1U);
    d.write(0x038, 8); // in use: nothing changes
    d.write(0x044, 0);
    EXPECT_EQ(d.read(0x044), 0U);
}

TEST_F(Virtio, RefusesAQueueThatIsNotInMemoryOrNotAligned) {
    const std::pair<unsigned, std::uint32_t> wrong[] = {
        {0x080, 0x8000'1008}, {0x090, 0x8000'2001}, {0x0A0, 0x8000'3002}, {0x080, 0x1000},
        {0x090, 0x8000'FFFE}, {0x0A0, 0x8000'FFFC}, {0x084, 0xFFFF'FFFF}};
    for (const auto& [offset, value] : wrong) {
        d.negotiate();
        d.start_queue();
        d.write(0x044, 0);
        EXPECT_EQ(d.read(0x070) & kNeedsReset, 0U);
        d.write(offset, value);
        d.write(0x044, 1);
        EXPECT_NE(d.read(0x070) & kNeedsReset, 0U) << offset;
        EXPECT_EQ(d.read(0x060), kConfigChange); // 2.1.2: a driver that runs is told
    }
}

// The header of virtio_mmio.h
TEST_F(Virtio, ServesARequestInItsCycles) {
    d.start();
    offer_request();
    d.notify(1000);
    EXPECT_EQ(d.device.next_change(), 1100U);
    d.device.advance(1099);
    EXPECT_EQ(function->requests, 0U);
    d.device.advance(1100);
    EXPECT_EQ(function->requests, 1U);
    EXPECT_EQ(d.device.next_change(), 1102U); // 3 + 3 bytes, 4 in a cycle
    EXPECT_EQ(d.used(), 0U);
    d.device.advance(1102);
    EXPECT_EQ(d.used(), 1U);
    EXPECT_EQ(d.used_element(0), (std::pair<std::uint32_t, std::uint32_t>{2, 3}));
    EXPECT_EQ(d.memory.text(TestDriver::kBuffers + 0x100, 2), "bc");
    EXPECT_EQ(d.memory.text(TestDriver::kBuffers + 0x200, 1), "d");
    EXPECT_EQ(d.read(0x060), kUsedBuffer);
    EXPECT_EQ(d.interrupt.changes, (Changes{{0, true, 1103}}));
    d.write(0x064, kUsedBuffer, 1200);
    EXPECT_EQ(d.interrupt.changes.back(), (test::LevelChange{0, false, 1201}));
    EXPECT_EQ(d.device.next_change(), kNever);
}

TEST_F(Virtio, ServesOneRequestAfterTheOther) {
    d.start();
    offer_request();
    offer_request();
    d.notify(1000);
    d.notify(1001);
    d.device.advance(1102);
    EXPECT_EQ(d.used(), 1U);
    EXPECT_EQ(d.device.next_change(), 1202U);
    d.device.advance(1204);
    EXPECT_EQ(d.used(), 2U);
}

// 2.7.7: VIRTQ_AVAIL_F_NO_INTERRUPT
TEST_F(Virtio, DoesNotInterruptADriverThatPolls) {
    d.start();
    d.memory.put(TestDriver::kAvailable, std::uint16_t{kNoInterrupt});
    offer_request();
    d.notify();
    d.run();
    EXPECT_EQ(d.used(), 1U);
    EXPECT_TRUE(d.interrupt.changes.empty());
}

// 2.7.10: a device at work looks for the next request itself, and says so
TEST_F(Virtio, NeedsANotificationOnlyWhenItRests) {
    constexpr Address kUsedEvent = TestDriver::kAvailable + 4 + 2 * TestDriver::kSize;
    constexpr Address kAvailableEvent = TestDriver::kUsed + 4 + 8 * TestDriver::kSize;
    d.start(kOne | std::uint64_t{1} << kEventIndex);
    d.memory.put(kUsedEvent, std::uint16_t{1});
    offer_request();
    d.notify(1000);
    d.device.advance(1100);
    offer_request(); // without a notification
    d.device.advance(1102);
    EXPECT_EQ(d.used(), 1U);
    EXPECT_EQ(d.memory.get<std::uint16_t>(kAvailableEvent), 0U) << "it has not come to rest";
    EXPECT_TRUE(d.interrupt.changes.empty()) << "2.7.7.2: the second one is waited for";
    EXPECT_EQ(d.device.next_change(), 1202U);
    d.run();
    EXPECT_EQ(d.used(), 2U);
    EXPECT_EQ(d.memory.get<std::uint16_t>(kAvailableEvent), 2U);
    EXPECT_EQ(d.interrupt.changes, (Changes{{0, true, 1205}}));
    d.notify(2000); // of nothing
    d.run();
    EXPECT_EQ(d.memory.get<std::uint16_t>(kAvailableEvent), 2U);
}

// 2.1.2: no buffer is used before DRIVER_OK
TEST_F(Virtio, IgnoresNotificationsUntilTheDriverRuns) {
    offer_request();
    d.notify();
    d.negotiate();
    d.notify();
    EXPECT_EQ(d.device.next_change(), kNever);
    d.start_queue();
    d.write(0x050, 1);
    EXPECT_EQ(d.device.next_change(), kNever);
    d.notify();
    EXPECT_NE(d.device.next_change(), kNever);
}

TEST_F(Virtio, NeedsAResetAfterAMalformedChain) {
    d.start();
    d.descriptor(0, TestDriver::kBuffers, 1, kNext, 0); // a loop
    d.offer(0);
    d.notify(10);
    d.run();
    EXPECT_EQ(d.read(0x070) & kNeedsReset, kNeedsReset);
    EXPECT_EQ(d.read(0x060), kConfigChange);
    EXPECT_EQ(d.interrupt.changes, (Changes{{0, true, 111}}));
    d.notify(500);
    EXPECT_EQ(d.device.next_change(), kNever);
    d.available = {};
    d.start();
    offer_request();
    d.memory.put(TestDriver::kUsed + 2, std::uint16_t{0});
    d.notify(1000);
    d.run();
    EXPECT_EQ(d.used(), 1U);
}

TEST_F(Virtio, GoesOnFromACheckpoint) {
    d.start(kWithIndirect);
    offer_request();
    d.notify(1000);
    d.device.advance(1100);
    Archive saved;
    d.device.state(saved);

    TestDriver again(std::make_unique<test::TestFunction>(),
                     {.request_cycles = 100, .bytes_per_cycle = 4});
    again.memory.bytes = d.memory.bytes;
    Archive loads(saved.bytes());
    again.device.state(loads);
    EXPECT_TRUE(loads.at_end());
    EXPECT_TRUE(again.interrupt.changes.empty());
    EXPECT_EQ(again.device.next_change(), 1102U);
    d.run();
    again.run();
    EXPECT_EQ(again.memory.bytes, d.memory.bytes);
    EXPECT_EQ(again.interrupt.changes, d.interrupt.changes);
    Archive first;
    Archive second;
    d.device.state(first);
    again.device.state(second);
    EXPECT_EQ(first.bytes(), second.bytes());
}

// 5.4: the device places one or more random bytes into the buffer
TEST(Entropy, GivesNumbersOfItsSeed) {
    const auto numbers = [](std::uint64_t seed) {
        TestDriver d(std::make_unique<Entropy>(seed));
        d.start();
        d.descriptor(0, TestDriver::kBuffers, 13, kWrite);
        d.offer(0);
        d.offer(0);
        d.notify();
        d.run();
        EXPECT_EQ(d.used_element(1), (std::pair<std::uint32_t, std::uint32_t>{0, 13}));
        EXPECT_EQ(d.memory.text(TestDriver::kBuffers + 13, 1), std::string(1, '\0'));
        return d.memory.text(TestDriver::kBuffers, 13);
    };
    EXPECT_EQ(numbers(1), numbers(1));
    EXPECT_NE(numbers(1), numbers(2));
}

} // namespace
} // namespace pes
