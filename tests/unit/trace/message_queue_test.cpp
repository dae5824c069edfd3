// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/message_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace pes::trace {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes pulled(MessageQueue& queue, Cycle at) {
    PackedMessage message;
    if (!queue.pull(message, at)) {
        return {};
    }
    return {message.view().begin(), message.view().end()};
}

class Listener final : public MessageListener {
  public:
    void message_ready(std::size_t bytes, Cycle at) override { ready.emplace_back(bytes, at); }
    void flush(Cycle at) override { flushes.push_back(at); }

    std::vector<std::pair<std::size_t, Cycle>> ready;
    std::vector<Cycle> flushes;
};

TEST(MessageQueue, GivesAMessageOnlyFromTheCycleThatItIsReadyIn) {
    MessageQueue queue(76);
    queue.push(Bytes{1, 2, 3}, 100);
    EXPECT_TRUE(pulled(queue, 99).empty());
    EXPECT_FALSE(queue.empty());
    EXPECT_EQ(pulled(queue, 100), (Bytes{1, 2, 3}));
    EXPECT_TRUE(queue.empty());
}

TEST(MessageQueue, CountsBytesAndFreesThemWithThePull) {
    MessageQueue queue(76);
    queue.push(Bytes(40), 1);
    queue.push(Bytes(30), 2);
    EXPECT_EQ(queue.free(), 6U);
    EXPECT_EQ(queue.messages(), 2U);
    pulled(queue, 10);
    EXPECT_EQ(queue.free(), 46U);
}

TEST(MessageQueue, KeepsOrderEvenIfALaterMessageNamesAnEarlierCycle) {
    MessageQueue queue(76);
    queue.push(Bytes{1}, 100);
    queue.push(Bytes{2}, 50);
    EXPECT_EQ(pulled(queue, 100), Bytes{1});
    EXPECT_EQ(pulled(queue, 99), Bytes{}); // not before the one ahead of it
    EXPECT_EQ(pulled(queue, 100), Bytes{2});
}

TEST(MessageQueue, TellsItsListenerOfEveryMessageAndOfTheEnd) {
    MessageQueue queue(76);
    Listener listener;
    queue.set_listener(&listener);
    queue.push(Bytes(5), 10);
    queue.push(Bytes(7), 12);
    queue.flush(11);
    queue.flush(20);
    EXPECT_EQ(listener.ready, (std::vector<std::pair<std::size_t, Cycle>>{{5, 10}, {7, 12}}));
    EXPECT_EQ(listener.flushes, (std::vector<Cycle>{12, 20})); // never before the last message
}

TEST(MessageQueue, BytesSurviveTheWrapOfTheRing) {
    MessageQueue queue(77);
    std::mt19937 random(1);
    std::deque<Bytes> expected;
    for (unsigned step = 0; step < 5000; ++step) {
        Bytes message(2 + random() % 37);
        std::generate(message.begin(), message.end(),
                      [&] { return static_cast<std::uint8_t>(random()); });
        while (queue.free() < message.size()) {
            ASSERT_EQ(pulled(queue, step), expected.front());
            expected.pop_front();
        }
        queue.push(message, step);
        expected.push_back(message);
    }
    EXPECT_EQ(queue.messages(), expected.size());
}

TEST(MessageQueue, ClearThrowsEverythingAway) {
    MessageQueue queue(76);
    queue.push(Bytes(70), 5);
    queue.clear();
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.free(), 76U);
    EXPECT_TRUE(pulled(queue, 10).empty());
}

TEST(MessageQueueDeathTest, PushWithoutRoomIsABrokenInvariant) {
    MessageQueue queue(76);
    queue.push(Bytes(70), 5);
    EXPECT_DEATH(queue.push(Bytes(7), 5), "");
}

} // namespace
} // namespace pes::trace
