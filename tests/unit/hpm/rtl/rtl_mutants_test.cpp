// SPDX-License-Identifier: Apache-2.0
// Copies of the RTL with one line wrong (CMakeLists.txt lists them): random streams in lockstep
// with the model find each, and a few cycles are enough to show it.
#include "tests/unit/hpm/rtl/counter_stream.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

#include <iostream>
#include <ostream>

namespace pes {

/// How GoogleTest names a mutant.
void PrintTo(const Mutant& mutant, std::ostream* out) {
    *out << mutant.name;
}

namespace test {
namespace {

constexpr std::uint64_t kSeeds = 30; ///< as many as the equivalence test has
constexpr std::size_t kLength = 2000;
constexpr std::size_t kShort = 8; ///< steps

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaughtAndShownInAFewCycles) {
    const RtlFactory make = GetParam().make;
    const CounterConfig config{.profile = GetParam().profile,
                               .programmable = 2,
                               .width = 40,
                               .write_freezes = GetParam().write_freezes};
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const Stream stream = random_stream(seed, config, kLength);
        const auto difference = run(stream, config, make);
        if (!difference) {
            continue;
        }
        const Stream shrunk = shrink(stream, [&](const Stream& candidate) {
            return run(candidate, config, make).has_value();
        });
        std::cout << "seed " << seed << ", " << difference->signal << " in cycle "
                  << difference->cycle << ":\n"
                  << as_test_case(shrunk, config,
                                  "mutant(\"" + std::string(GetParam().name) + "\")");
        EXPECT_LE(shrunk.size(), kShort);
        EXPECT_GE(shrunk.size(), 1U); // nothing differs after reset alone
        return;
    }
    FAIL() << "no stream tells " << GetParam().name << " from the model";
}

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Mutants, Mutants, testing::ValuesIn(mutants()), name_of);

} // namespace
} // namespace test
} // namespace pes
