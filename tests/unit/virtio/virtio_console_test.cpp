// SPDX-License-Identifier: Apache-2.0
// Expectations: VIRTIO 1.2, section 5.3.
#include "hw/virtio/virtio_console.h"

#include "tests/unit/virtio/test_driver.h"

#include <deque>

namespace pes {
namespace {

using test::TestDriver;
using namespace virtio;

/// What somebody types.
class Typed : public ConsoleInput {
  public:
    std::optional<std::uint8_t> next() override {
        ++asked;
        if (bytes.empty()) {
            return std::nullopt;
        }
        const char byte = bytes.front();
        bytes.erase(0, 1);
        return static_cast<std::uint8_t>(byte);
    }
    bool ended() override { return closed && bytes.empty(); }

    std::string bytes;
    bool closed = false;
    unsigned asked = 0;
};

class Console : public testing::Test {
  protected:
    static constexpr Cycle kCharacter = 1000;
    static constexpr unsigned kReceive = kConsoleReceiveQueue;
    static constexpr unsigned kTransmit = kConsoleTransmitQueue;

    void start() {
        d.negotiate();
        d.make_ready(kTransmit);
        d.start_queue();
    }
    /// A buffer of the receive queue; the driver need not tell the device each time.
    void give_room(unsigned number, std::uint32_t bytes) {
        d.descriptor(number, place(number), bytes, kWrite);
        d.offer(number, kReceive);
    }
    static Address place(unsigned number) { return TestDriver::kBuffers + 0x100 * number; }
    /// Until the device looks for input again.
    void run(unsigned steps) {
        for (unsigned step = 0; step < steps && d.device.next_change() != kNever; ++step) {
            d.device.advance(d.device.next_change());
        }
    }

    std::string sent;
    Typed typed;
    TestDriver d{std::make_unique<VirtioConsole>(
                     [this](std::span<const std::byte> bytes) {
                         sent.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                     },
                     &typed, kCharacter),
                 {.request_cycles = 100, .bytes_per_cycle = 4}};
};

// 5.3.1, 5.3.2: device 3 with the queues of port 0; without MULTIPORT no others
TEST_F(Console, IsDevice3WithTwoQueues) {
    EXPECT_EQ(d.read(kDeviceId), 3U);
    for (const auto& [queue, size] : {std::pair{0U, 64U}, {1U, 64U}, {2U, 0U}}) {
        d.write(kQueueSel, queue);
        EXPECT_EQ(d.read(kQueueNumMax), size) << queue;
    }
}

// 5.3.3: SIZE is bit 0, MULTIPORT bit 1, EMERG_WRITE bit 2
TEST_F(Console, OffersEmergencyWritesOnly) {
    d.write(kDeviceFeaturesSel, 0);
    EXPECT_EQ(d.read(kDeviceFeatures) & 0b111, 0b100U);
}

// 5.3.6: what is in a buffer of the transmit queue goes out
TEST_F(Console, SendsWhatTheDriverTransmits) {
    start();
    const std::string text = "hello";
    for (unsigned index = 0; index < text.size(); ++index) {
        d.memory.put(place(0) + index, text[index]);
    }
    const Address table = TestDriver::kDescriptors + TestDriver::kNextQueue;
    d.descriptor(0, place(0), 2, kNext, 1, table);
    d.descriptor(1, place(0) + 2, 3, 0, 0, table);
    d.offer(0, kTransmit);
    d.notify(1000, kTransmit);
    EXPECT_EQ(d.device.next_change(), 1100U);
    d.device.advance(1100);
    EXPECT_EQ(sent, "hello");
    EXPECT_EQ(d.device.next_change(), 1102U);
    d.device.advance(1102);
    EXPECT_EQ(d.used(kTransmit), 1U);
    EXPECT_EQ(d.used(kReceive), 0U);
    EXPECT_EQ(d.read(kInterruptStatus), kUsedBuffer);
    EXPECT_EQ(typed.asked, 0U) << "nobody has given room for input";
}

// 5.3.6: a receive buffer is used when there is input
TEST_F(Console, KeepsABufferUntilThereIsInput) {
    start();
    give_room(0, 16);
    d.notify(0, kReceive);
    run(3);
    EXPECT_EQ(d.device.next_change(), 100 + 3 * kCharacter) << "asked once a character time";
    EXPECT_EQ(typed.asked, 3U);
    EXPECT_EQ(d.used(kReceive), 0U);
    typed.bytes = "abc";
    run(2);
    EXPECT_EQ(d.used(kReceive), 1U);
    EXPECT_EQ(d.used_element(0, kReceive), (std::pair<std::uint32_t, std::uint32_t>{0, 3}));
    EXPECT_EQ(d.memory.text(place(0), 3), "abc");
    EXPECT_EQ(d.interrupt.changes.back(), (test::LevelChange{0, true, 100 + 3 * kCharacter + 2}));
}

TEST_F(Console, DividesInputAmongBuffers) {
    start();
    give_room(0, 4);
    give_room(1, 4);
    give_room(2, 4);
    typed.bytes = "0123456789";
    d.notify(0, kReceive);
    run(6);
    EXPECT_EQ(d.used(kReceive), 3U);
    EXPECT_EQ(d.memory.text(place(0), 4) + d.memory.text(place(1), 4) + d.memory.text(place(2), 2),
              "0123456789");
    EXPECT_EQ(d.used_element(2, kReceive).second, 2U);
    EXPECT_EQ(d.device.next_change(), kNever) << "no buffer is left";
}

TEST_F(Console, TransmitsWhileItWaitsForInput) {
    start();
    give_room(0, 4);
    d.notify(0, kReceive);
    run(2);
    const Address table = TestDriver::kDescriptors + TestDriver::kNextQueue;
    d.memory.put(place(1), 'x');
    d.descriptor(0, place(1), 1, 0, 0, table);
    d.offer(0, kTransmit);
    d.notify(100 + kCharacter + 1, kTransmit);
    run(2);
    EXPECT_EQ(sent, "x");
    EXPECT_EQ(d.used(kTransmit), 1U);
    EXPECT_EQ(d.device.next_change(), 100 + 2 * kCharacter);
}

TEST_F(Console, DoesNotAskAgainBehindTheEndOfItsInput) {
    start();
    give_room(0, 4);
    typed.closed = true;
    d.notify(0, kReceive);
    run(10);
    EXPECT_EQ(d.device.next_change(), kNever);
    EXPECT_EQ(d.used(kReceive), 0U);
}

/// A driver that begins resets the device; what has been typed before is for it.
TEST_F(Console, KeepsInputOverAReset) {
    start();
    give_room(0, 1);
    typed.bytes = "ab";
    d.notify(0, kReceive);
    run(2);
    EXPECT_EQ(d.memory.text(place(0), 1), "a");
    d.available = {};
    d.memory.put(TestDriver::kAvailable, std::uint32_t{0});
    start();
    give_room(0, 1);
    d.notify(5000, kReceive);
    run(2);
    EXPECT_EQ(d.memory.text(place(0), 1), "b");
}

// 5.3.4, 5.3.5.1: emerg_wr works before the driver has initialised the device; the upper bytes mean
// nothing
TEST_F(Console, TakesEmergencyWritesAtAnyTime) {
    d.write(kConfig + 8, 'a');
    EXPECT_EQ(sent, "a");
    d.negotiate(std::uint64_t{1} << kVersion1 | 1U << kConsoleEmergencyWrite);
    EXPECT_NE(d.read(kStatus) & kFeaturesOk, 0U);
    d.write(kConfig + 8, 0x1234'5600U | 'b');
    EXPECT_EQ(sent, "ab");
}

TEST_F(Console, GoesOnFromACheckpoint) {
    start();
    give_room(0, 2);
    give_room(1, 2);
    typed.bytes = "abc";
    d.notify(0, kReceive);
    run(2); // and one byte waits for the next buffer
    Archive saved;
    d.device.state(saved);
    TestDriver again{
        std::make_unique<VirtioConsole>([](std::span<const std::byte>) {}, nullptr, kCharacter),
        {.request_cycles = 100, .bytes_per_cycle = 4}};
    again.memory.bytes = d.memory.bytes;
    Archive loads(saved.bytes());
    again.device.state(loads);
    EXPECT_TRUE(loads.at_end());
    EXPECT_EQ(again.device.next_change(), d.device.next_change());
    again.device.advance(again.device.next_change());
    again.device.advance(again.device.next_change());
    EXPECT_EQ(again.used(kReceive), 2U);
    EXPECT_EQ(again.memory.text(place(1), 1), "c");
}

TEST_F(Console, WithoutInputWaitsForEver) {
    TestDriver quiet{
        std::make_unique<VirtioConsole>([](std::span<const std::byte>) {}, nullptr, kCharacter)};
    quiet.start();
    quiet.descriptor(0, place(0), 4, kWrite);
    quiet.offer(0);
    quiet.notify();
    quiet.run();
    EXPECT_EQ(quiet.used(), 0U);
}

} // namespace
} // namespace pes
