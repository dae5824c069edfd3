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
        return queue.take(d.memory, indirect, 0);
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
    const Virtqueue::Taken taken = queue.take(d.memory, false, 0);
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
    EXPECT_NE(queue.take(d.memory, false, 0).mistake.find("more chains"), std::string_view::npos);
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

} // namespace
} // namespace pes
