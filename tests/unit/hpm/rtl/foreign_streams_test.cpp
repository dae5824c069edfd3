// SPDX-License-Identifier: Apache-2.0
// The block of PES_FOREIGN_RTL against the model on random and directed streams, as its pin map's
// constraints leave them.
#include "tests/unit/hpm/rtl/directed_streams.h"
#include "tests/unit/hpm/rtl/stream_bench.h"
#include "tests/unit/hpm/rtl/stream_constraints.h"

namespace pes::test {
namespace {

const BuiltModel& foreign_model() {
    return *std::ranges::find(built_models(), RtlOrigin::Foreign, &BuiltModel::origin);
}

StreamBench foreign_bench() {
    return {.config = StreamBench::config_of(foreign_model()),
            .make = foreign_model().make,
            .make_expression = "foreign_model().make",
            .constraint = constrain};
}

TEST(ForeignStreams, ConstraintsAreSettledAfterOneCall) {
    const StreamBench bench = foreign_bench();
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Stream stream = bench.constrained(random_stream(seed, bench.config, 500));
        ASSERT_EQ(bench.constrained(stream), stream)
            << "constrain() must leave alone what it has changed";
    }
}

TEST(ForeignStreams, DirectedModelAndBlockAgree) {
    const StreamBench bench = foreign_bench();
    for (const NamedStream& named : directed_streams(bench.config)) {
        bench.expect_equal(bench.constrained(named.stream), named.name);
    }
}

TEST(ForeignStreams, RandomModelAndBlockAgree) {
    foreign_bench().expect_equal_on_random_streams(1, 40, 3000);
}

// Label slow.
TEST(ForeignStreams, SlowRandomModelAndBlockAgree) {
    foreign_bench().expect_equal_on_random_streams(1000, 1000, 4000);
}

} // namespace
} // namespace pes::test
