// SPDX-License-Identifier: Apache-2.0
// Random equivalence of model and RTL in every built shape. A stream that fails is shrunk and
// printed as a test case.
#include "tests/unit/hpm/rtl/counter_stream.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

#include <ostream>

namespace pes {

/// How GoogleTest names a shape.
void PrintTo(const BuiltModel& model, std::ostream* out) {
    *out << model.programmable << "x" << model.width << (model.write_freezes ? "" : "_own_strobes");
}

namespace test {
namespace {

class RtlEquivalence : public testing::TestWithParam<BuiltModel> {
  protected:
    static CounterConfig config() {
        CounterConfig config;
        config.programmable = GetParam().programmable;
        config.width = GetParam().width;
        config.write_freezes = GetParam().write_freezes;
        return config;
    }

    static void expect_equal(std::uint64_t first_seed, std::uint64_t seeds, std::size_t length) {
        const RtlFactory make = GetParam().make;
        for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
            const Stream stream = random_stream(seed, config(), length);
            const auto difference = run(stream, config(), make);
            if (!difference) {
                continue;
            }
            const Stream shrunk = shrink(stream, [&make](const Stream& candidate) {
                return run(candidate, config(), make).has_value();
            });
            FAIL() << "seed " << seed << ": " << difference->signal << " differs in cycle "
                   << difference->cycle << "; shrunk:\n"
                   << as_test_case(shrunk);
        }
    }
};

TEST_P(RtlEquivalence, ModelAndRtlAgreeOnRandomStreams) {
    expect_equal(1, 30, 2000);
}

// Label slow: five to six million cycles in all.
TEST_P(RtlEquivalence, SlowModelAndRtlAgreeOnManyRandomStreams) {
    expect_equal(1000, 200, 4000);
}

std::string name_of(const testing::TestParamInfo<BuiltModel>& info) {
    return testing::PrintToString(info.param);
}

INSTANTIATE_TEST_SUITE_P(Foreign, RtlEquivalence, testing::ValuesIn(foreign_models()), name_of);
INSTANTIATE_TEST_SUITE_P(Packaged, RtlEquivalence, testing::ValuesIn(packaged_models()), name_of);
INSTANTIATE_TEST_SUITE_P(Shapes, RtlEquivalence, testing::ValuesIn(test_models()), name_of);

} // namespace
} // namespace test
} // namespace pes
