// SPDX-License-Identifier: Apache-2.0
// What a counter gets that is selected late: the pulses from then on, however those before it were
// handed over.
#include "hw/core/feed/counter_feed.h"
#include "hw/hpm/tlm_bank.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

constexpr std::uint64_t kLoad = 5, kL1IAccess = 16; ///< selectors
constexpr std::uint16_t kCounter4 = csr::kMhpmcounter3 + 1, kEvent4 = csr::kMhpmevent3 + 1;

class CounterFeedTest : public testing::Test {
  protected:
    void write(std::uint16_t csr, std::uint64_t value) {
        feed.write(csr, value);
        feed.bring_to(bank.now() + 1);
    }
    /// Requests of the frontend in [from, to), known when all up to `settled` is closed.
    void late_requests(Cycle from, Cycle to, Cycle settled) {
        feed.pulses().settle_through(settled);
        feed.pulses().level(Event::L1IAccess, from, to);
    }

    TlmCounterBank bank;
    Attention attention;
    InterruptInputs inputs{attention};
    CounterFeed feed{bank, inputs, attention};
};

TEST_F(CounterFeedTest, ACounterSelectedBehindSingleCyclesBeginsAtItsValue) {
    write(csr::kMhpmevent3, kLoad);
    write(csr::kMhpmthreshold3, 1);
    late_requests(90, 95, 99);
    feed.pulses().pulse(Event::Load, 100); // the edge: up to it cycles come one by one
    feed.bring_to(100);
    ASSERT_TRUE(bank.interrupt(BankLine::Threshold).level);
    write(kEvent4, kL1IAccess);
    feed.pulses().level(Event::L1IAccess, 150, 153);
    feed.bring_to(200);
    EXPECT_EQ(bank.read(kCounter4), 3U);
}

TEST_F(CounterFeedTest, LateRequestsCountFromTheSelectionOn) {
    late_requests(90, 95, 99);
    feed.bring_to(100);
    write(kEvent4, kL1IAccess);
    feed.bring_to(150);
    EXPECT_EQ(bank.read(kCounter4), 0U);
    late_requests(120, 124, 160);
    feed.bring_to(162);
    EXPECT_EQ(bank.read(kCounter4), 2U); // 161 and 162
    feed.bring_to(200);
    EXPECT_EQ(bank.read(kCounter4), 4U);
    EXPECT_EQ(feed.pulses().total(static_cast<std::size_t>(Event::L1IAccess)), 9U);
}

TEST_F(CounterFeedTest, ASelectionIsNotForgotten) {
    EXPECT_TRUE(feed.pulses().kept_late().has(Event::L1IAccess));
    write(kEvent4, kLoad);
    EXPECT_TRUE(feed.pulses().kept_late().has(Event::L1IAccess));
    write(kEvent4, kL1IAccess);
    write(kEvent4, 0);
    EXPECT_FALSE(feed.pulses().kept_late().any());
}

} // namespace
} // namespace pes
