// SPDX-License-Identifier: Apache-2.0
// Model and RTL in every built shape on random and directed streams. A stream that fails is shrunk
// and printed as a test case.
#include "tests/unit/hpm/rtl/directed_streams.h"
#include "tests/unit/hpm/rtl/stream_bench.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

namespace pes {

/// How GoogleTest names a shape.
void PrintTo(const BuiltModel& model, std::ostream* out) {
    *out << (model.profile == &kCva6Profile ? "" : std::string(model.profile->name) + "_")
         << model.programmable << "x" << model.width << (model.write_freezes ? "" : "_own_strobes")
         << (model.sscofpmf ? "" : "_as_the_core");
}

namespace test {
namespace {

/// What a shrunk stream is printed with.
void expect_no_difference(const Stream& stream, const CounterConfig& config,
                          const RtlFactory& make) {
    const auto difference = run(stream, config, make);
    EXPECT_FALSE(difference) << difference->signal << " differs in cycle " << difference->cycle
                             << ": 0x" << std::hex << difference->model << " in the model, 0x"
                             << difference->rtl << " in the RTL";
}

class RtlStreams : public testing::TestWithParam<BuiltModel> {
  protected:
    /// How a printed test case finds this model again.
    static std::string make_expression() {
        const auto has = [](std::span<const BuiltModel> models) {
            return std::ranges::any_of(
                models, [](const BuiltModel& model) { return model.make == GetParam().make; });
        };
        const char* const table = has(foreign_models())    ? "foreign_models()"
                                  : has(packaged_models()) ? "packaged_models()"
                                                           : "test_models()";
        return "find_shape(" + std::string(table) + ", config)->make";
    }

    static StreamBench bench() {
        return {.config = StreamBench::config_of(GetParam()),
                .make = GetParam().make,
                .make_expression = make_expression()};
    }
};

TEST_P(RtlStreams, ModelAndRtlAgreeOnRandomStreams) {
    bench().expect_equal_on_random_streams(1, 30, 2000);
}

TEST_P(RtlStreams, ModelAndRtlAgreeOnDirectedStreams) {
    if (GetParam().profile != &kCva6Profile || GetParam().programmable > 6) {
        GTEST_SKIP() << "directed streams are for the events of cva6 and a few counters";
    }
    for (const NamedStream& named : directed_streams(bench().config)) {
        bench().expect_equal(named.stream, named.name);
    }
}

// Label slow: five to six million cycles in all.
TEST_P(RtlStreams, SlowModelAndRtlAgreeOnManyRandomStreams) {
    bench().expect_equal_on_random_streams(1000, 200, 4000);
}

// In the form in which a failing stream is printed.
TEST(RtlEquivalence, DebugModeStopsProgrammableCountersOnly) {
    const CounterConfig config{.programmable = 2, .width = 47, .write_freezes = true};
    const Stream stream{
        {.csr = 0x323, .value = 0x5},
        {.events = 0x20, .retired = 1, .debug = true},
        {.events = 0x20, .csr = 0xB04, .value = 0x9, .debug = true},
        {.events = 0x20},
    };
    expect_no_difference(stream, config, find_shape(test_models(), config)->make);
}

std::string name_of(const testing::TestParamInfo<BuiltModel>& info) {
    return testing::PrintToString(info.param);
}

INSTANTIATE_TEST_SUITE_P(Foreign, RtlStreams, testing::ValuesIn(foreign_models()), name_of);
INSTANTIATE_TEST_SUITE_P(Packaged, RtlStreams, testing::ValuesIn(packaged_models()), name_of);
INSTANTIATE_TEST_SUITE_P(Shapes, RtlStreams, testing::ValuesIn(test_models()), name_of);

} // namespace
} // namespace test
} // namespace pes
