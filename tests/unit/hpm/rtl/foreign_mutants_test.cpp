// SPDX-License-Identifier: Apache-2.0
// Foreign counters with one line wrong (CMakeLists.txt lists them): directed streams find each, and
// so do random ones.
#include "tests/unit/hpm/rtl/directed_streams.h"
#include "tests/unit/hpm/rtl/stream_bench.h"
#include "tests/unit/hpm/rtl/stream_constraints.h"

#include <ostream>

namespace pes {

// One function a mutant.
#define MUTANT(name) std::span<const BuiltModel> rtl_foreign_mutant_##name();
#include "foreign_mutants.inc"
#undef MUTANT

namespace test {
namespace {

struct ForeignMutant {
    const char* name;
    std::span<const BuiltModel> (*models)();
};

#define MUTANT(name) {#name, rtl_foreign_mutant_##name},
constexpr ForeignMutant kForeignMutants[] = {
#include "foreign_mutants.inc"
};
#undef MUTANT

/// How GoogleTest names a mutant.
void PrintTo(const ForeignMutant& mutant, std::ostream* out) {
    *out << mutant.name;
}

class ForeignMutants : public testing::TestWithParam<ForeignMutant> {
  protected:
    static StreamBench bench() {
        const BuiltModel& model = GetParam().models().front();
        return {.config = StreamBench::config_of(model), .make = model.make, .make_expression = ""};
    }
};

TEST_P(ForeignMutants, AreFoundByDirectedStreams) {
    EXPECT_TRUE(std::ranges::any_of(directed_streams(bench().config), [](const NamedStream& named) {
        return bench().fails(named.stream);
    }));
}

TEST_P(ForeignMutants, AreFoundByRandomStreamsOfAHart) {
    bool found = false;
    for (std::uint64_t seed = 1; seed <= 40 && !found; ++seed) {
        found = bench().fails(random_stream(seed, bench().config, 3000, as_a_hart));
    }
    EXPECT_TRUE(found);
}

INSTANTIATE_TEST_SUITE_P(Foreign, ForeignMutants, testing::ValuesIn(kForeignMutants),
                         [](const testing::TestParamInfo<ForeignMutant>& info) {
                             return std::string(info.param.name);
                         });

// ---- what as_a_hart() leaves of a step

EventBits left_of(std::initializer_list<Event> events, unsigned retired) {
    Step step{.retired = retired};
    for (const Event event : events) {
        step.events |= bits_of(event);
    }
    as_a_hart(step);
    return step.events;
}

TEST(AsAHart, HasNoMoreClassesThanRetirements) {
    EXPECT_EQ(left_of({Event::Load}, 0), 0U);
    EXPECT_EQ(left_of({Event::Load}, 1), bits_of(Event::Load));
    EXPECT_EQ(std::popcount(left_of({Event::Load, Event::Store, Event::Integer}, 2)), 2);
    EXPECT_EQ(std::popcount(left_of({Event::Load, Event::Store, Event::Integer}, 1)), 1);
    EXPECT_EQ(left_of({Event::FetchEmpty, Event::Exception}, 0),
              bits_of(Event::FetchEmpty) | bits_of(Event::Exception));
}

TEST(AsAHart, HasCallsAndReturnsAmongBranchesOnly) {
    constexpr EventBits kBoth = bits_of(Event::Call) | bits_of(Event::Return);
    EXPECT_EQ(left_of({Event::Call, Event::Integer}, 1), bits_of(Event::Integer));
    EXPECT_EQ(left_of({Event::Call, Event::Return, Event::Branch}, 2),
              kBoth | bits_of(Event::Branch));
    EXPECT_EQ(std::popcount(left_of({Event::Call, Event::Return, Event::Branch}, 1) & kBoth), 1);
    EXPECT_EQ(
        std::popcount(left_of({Event::Call, Event::Return, Event::Branch, Event::Load}, 2) & kBoth),
        1);
}

TEST(AsAHart, HasEvictionsWithMissesOnly) {
    EXPECT_EQ(left_of({Event::L1DEviction}, 0), 0U);
    EXPECT_NE(left_of({Event::L1DEviction, Event::L1DMiss}, 0) & bits_of(Event::L1DEviction), 0U);
}

TEST(AsAHart, GivesEachClassItsTurn) {
    EventBits seen = 0;
    for (const Event other : {Event::None, Event::L1IMiss, Event::L1DMiss, Event::ItlbMiss,
                              Event::Exception, Event::ScoreboardFull, Event::PipelineStall}) {
        seen |= left_of(
            {other, Event::Load, Event::Store, Event::Branch, Event::Integer, Event::FloatingPoint},
            1);
    }
    EXPECT_GE(std::popcount(seen &
                            (bits_of(Event::Load) | bits_of(Event::Store) | bits_of(Event::Branch) |
                             bits_of(Event::Integer) | bits_of(Event::FloatingPoint))),
              3);
}

} // namespace
} // namespace test
} // namespace pes
