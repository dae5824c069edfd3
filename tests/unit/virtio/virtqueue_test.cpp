// SPDX-License-Identifier: Apache-2.0
// Expectations: VIRTIO 1.2, section 2.7.
#include "hw/virtio/virtqueue.h"

#include "tests/unit/virtio/test_driver.h"

namespace pes {
namespace {

using namespace virtio;

constexpr Address kDescriptors = test::TestDriver::kDescriptors;
constexpr Address kBuffers = test::TestDriver::kBuffers;
constexpr Address kTable = test::kMemoryBase + 0x8000;

class Queue : public testing::Test {
  protected:
    Queue() {
        queue.layout = {.size = 8,
                        .descriptors = kDescriptors,
                        .available = test::TestDriver::kAvailable,
                        .used = test::TestDriver::kUsed};
        queue.start();
    }
    /// Takes the chain that begins with this descriptor.
    Virtqueue::Taken take(unsigned head, bool indirect = true) {
        d.offer(head);
        return queue.take(d.memory, {.indirect = indirect}, 0);
    }
    void expect_mistake(unsigned head, std::string_view part, bool indirect = true) {
        queue.stop(); // a chain that cannot be taken stays in front
        d.available = {};
        queue.start();
        const Virtqueue::Taken taken = take(head, indirect);
        EXPECT_FALSE(taken.chain);
        EXPECT_NE(taken.mistake.find(part), std::string_view::npos) << taken.mistake;
    }

    test::TestDriver d{std::make_unique<test::TestFunction>()};
    Virtqueue queue;
};

TEST_F(Queue, HasNothingUntilTheIndexMoves) {
    EXPECT_FALSE(queue.has_work(d.memory, 0));
    const Virtqueue::Taken taken = queue.take(d.memory, {}, 0);
    EXPECT_FALSE(taken.chain);
    EXPECT_TRUE(taken.mistake.empty());
    d.offer(0);
    EXPECT_TRUE(queue.has_work(d.memory, 0));
}

TEST_F(Queue, FollowsAChain) {
    d.descriptor(7, kBuffers, 10, kNext, 3);
    d.descriptor(3, kBuffers + 0x10, 0, kNext, 4);
    d.descriptor(4, kBuffers + 0x20, 5, kWrite);
    const Virtqueue::Taken taken = take(7);
    ASSERT_TRUE(taken.chain) << taken.mistake;
    EXPECT_EQ(taken.chain->head, 7);
    EXPECT_EQ(taken.chain->readable.size(), 2U);
    EXPECT_EQ(taken.chain->readable_bytes, 10U);
    EXPECT_EQ(taken.chain->writable.at(0).address, kBuffers + 0x20);
    EXPECT_EQ(taken.chain->writable_bytes, 5U);
}

// 2.7.5.3: an indirect table stands for the rest of the chain; its WRITE flag means nothing
TEST_F(Queue, FollowsAnIndirectTable) {
    d.descriptor(0, kBuffers, 3, kNext, 1);
    d.descriptor(1, kTable, 32, kIndirect | kWrite);
    d.descriptor(0, kBuffers + 8, 4, kNext, 1, kTable);
    d.descriptor(1, kBuffers + 16, 5, kWrite, 0, kTable);
    const Virtqueue::Taken taken = take(0);
    ASSERT_TRUE(taken.chain) << taken.mistake;
    EXPECT_EQ(taken.chain->readable_bytes, 7U);
    EXPECT_EQ(taken.chain->writable_bytes, 5U);
    expect_mistake(0, "VIRTIO_F_INDIRECT_DESC", false);
}

TEST_F(Queue, RefusesMalformedIndirectTables) {
    d.descriptor(0, kTable, 16, kIndirect | kNext, 1);
    expect_mistake(0, "with a next one");
    for (const std::uint32_t length : {0U, 8U, 17U}) {
        d.descriptor(0, kTable, length, kIndirect);
        expect_mistake(0, "the length of an indirect table");
    }
    d.descriptor(0, kTable, 16, kIndirect);
    d.descriptor(0, kTable, 16, kIndirect, 0, kTable);
    expect_mistake(0, "inside an indirect table");
    d.descriptor(0, kBuffers, 1, kNext, 1, kTable);
    expect_mistake(0, "not below the size of its table");
    d.descriptor(0, kBuffers, 1, kNext, 0, kTable);
    expect_mistake(0, "longer than the queue");
    d.descriptor(0, 0x1000, 16, kIndirect);
    expect_mistake(0, "not in main memory");
    d.descriptor(0, test::kMemoryBase + 0xFFF8, 32, kIndirect);
    expect_mistake(0, "not in main memory");
}

TEST_F(Queue, RefusesMalformedChains) {
    expect_mistake(8, "not below the size of its table");
    d.descriptor(0, kBuffers, 1, kNext, 8);
    expect_mistake(0, "not below the size of its table");
    d.descriptor(0, kBuffers, 1, kNext, 1);
    d.descriptor(1, kBuffers, 1, kNext, 0);
    expect_mistake(0, "longer than the queue");
    d.descriptor(0, kBuffers, 1, kNext | kWrite, 1);
    d.descriptor(1, kBuffers, 1, 0);
    expect_mistake(0, "behind a writable one"); // 2.7.4.2
    const std::pair<Address, std::uint32_t> outside[] = {{test::kMemoryBase - 1, 1},
                                                         {test::kMemoryBase + 0xFFFF, 2},
                                                         {~Address{0}, 1},
                                                         {test::kMemoryBase, 0xFFFF'FFFF}};
    for (const auto& [address, length] : outside) {
        d.descriptor(0, address, length, 0);
        expect_mistake(0, "a buffer is not in main memory");
    }
}

TEST_F(Queue, RefusesMoreChainsThanDescriptors) {
    d.memory.put(test::TestDriver::kAvailable + 2, std::uint16_t{9});
    EXPECT_NE(queue.take(d.memory, {}, 0).mistake.find("more chains"), std::string_view::npos);
}

// 2.7.6, 2.7.8: the indices count modulo 2^16
TEST_F(Queue, GoesRoundBothRings) {
    d.descriptor(1, kBuffers, 1, kWrite);
    for (unsigned turn = 0; turn < 0x1'0010; ++turn) {
        ASSERT_TRUE(take(1).chain) << turn;
        ASSERT_TRUE(queue.give_back(d.memory, 1, turn, 0));
        ASSERT_EQ(d.used(), static_cast<std::uint16_t>(turn + 1));
        ASSERT_EQ(d.used_element(turn % 8).second, turn);
    }
}

// virtq_need_event() of the virtio_queue.h of the specification: the index passes `event`, also
// where it wraps. The cases are counted out: an event in old..fresh-1 is passed.
TEST(VirtqueueEvent, IsPassedIfTheIndexGoesOverIt) {
    for (const unsigned old : {0U, 5U, 0x7FFFU, 0xFFFEU, 0xFFFFU}) {
        for (unsigned steps = 0; steps < 4; ++steps) {
            for (unsigned event = old - 3; event != old + 6; ++event) {
                const auto distance = static_cast<std::uint16_t>(event - old);
                EXPECT_EQ(Virtqueue::passes(static_cast<std::uint16_t>(event),
                                            static_cast<std::uint16_t>(old + steps),
                                            static_cast<std::uint16_t>(old)),
                          distance < steps)
                    << old << " + " << steps << ", " << event;
            }
        }
    }
}

/// A queue whose driver has accepted VIRTIO_F_EVENT_IDX.
class EventQueue : public Queue {
  protected:
    static constexpr Virtqueue::Features kEvents{.event_index = true};
    static constexpr Address kUsedEvent = test::TestDriver::kAvailable + 4 + 2 * 8;
    static constexpr Address kAvailableEvent = test::TestDriver::kUsed + 4 + 8 * 8;

    void use_one() {
        ASSERT_TRUE(take(1).chain);
        ASSERT_TRUE(queue.give_back(d.memory, 1, 0, 0));
    }
};

// 2.7.7.2: an interrupt for the chain whose index in the used ring is used_event; the flags of the
// available ring mean nothing
TEST_F(EventQueue, InterruptsForTheChainThatTheDriverNames) {
    d.descriptor(1, kBuffers, 1, kWrite);
    for (const std::uint16_t flags : {0, 1}) {
        d.memory.put(test::TestDriver::kAvailable, flags);
        const std::uint16_t first = d.used();
        d.memory.put(kUsedEvent, static_cast<std::uint16_t>(first + 2));
        for (unsigned chain = 0; chain < 5; ++chain) {
            use_one();
            EXPECT_EQ(queue.wants_interrupt(d.memory, kEvents, 0), chain == 2) << chain;
            EXPECT_EQ(queue.wants_interrupt(d.memory, {}, 0), flags == 0);
        }
    }
}

TEST_F(EventQueue, IndicesOfEventsWrap) {
    d.descriptor(1, kBuffers, 1, kWrite);
    d.memory.put(kUsedEvent, std::uint16_t{0xFFFF});
    for (unsigned chain = 0; chain < 0x1'0002; ++chain) {
        use_one();
        ASSERT_EQ(queue.wants_interrupt(d.memory, kEvents, 0), chain == 0xFFFF) << chain;
    }
}

// 2.7.10: avail_event is the index of the next chain that the device has not seen
TEST_F(EventQueue, TellsFromWhichChainOnItMustBeNotified) {
    d.descriptor(1, kBuffers, 1, kWrite);
    use_one();
    use_one();
    EXPECT_EQ(d.memory.get<std::uint16_t>(kAvailableEvent), 0U);
    EXPECT_TRUE(queue.want_notification(d.memory, {}, 0));
    EXPECT_EQ(d.memory.get<std::uint16_t>(kAvailableEvent), 0U) << "the feature is not agreed on";
    EXPECT_TRUE(queue.want_notification(d.memory, kEvents, 0));
    EXPECT_EQ(d.memory.get<std::uint16_t>(kAvailableEvent), 2U);
    EXPECT_EQ(d.memory.get<std::uint16_t>(test::TestDriver::kUsed), 0U) << "2.7.10.2: flags are 0";
}

} // namespace
} // namespace pes
