// SPDX-License-Identifier: Apache-2.0
// Streams as tests: what fails is shrunk and printed as a test case.
#pragma once

#include "hw/hpm/rtl/built_models.h"
#include "tests/unit/hpm/rtl/counter_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace pes::test {

struct StreamBench {
    CounterConfig config;
    RtlFactory make;
    std::string make_expression; ///< C++ by which a printed test case finds the model again
    Constraint constraint{};     ///< none: everything is possible

    static CounterConfig config_of(const BuiltModel& model) {
        CounterConfig config;
        config.profile = model.profile;
        config.programmable = model.programmable;
        config.width = model.width;
        config.write_freezes = model.write_freezes;
        config.sscofpmf = model.sscofpmf;
        config.smcntrpmf = model.smcntrpmf;
        return config;
    }

    /// What the constraint leaves of a stream that somebody wrote.
    Stream constrained(Stream stream) const {
        if (constraint) {
            std::ranges::for_each(stream, constraint);
        }
        return stream;
    }

    bool fails(const Stream& stream) const { return run(stream, config, make).has_value(); }

    Stream shrunk(const Stream& stream) const {
        return shrink(stream, [this](const Stream& candidate) {
            return (!constraint || constrained(candidate) == candidate) && fails(candidate);
        });
    }

    void expect_equal(const Stream& stream, const std::string& what) const {
        const auto difference = run(stream, config, make);
        if (difference) {
            ADD_FAILURE() << what << ": " << difference->signal << " differs in cycle "
                          << difference->cycle << "; shrunk:\n"
                          << as_test_case(shrunk(stream), config, make_expression);
        }
    }

    void expect_equal_on_random_streams(std::uint64_t first_seed, std::uint64_t seeds,
                                        std::size_t length) const {
        for (std::uint64_t seed = first_seed;
             seed < first_seed + seeds && !testing::Test::HasFailure(); ++seed) {
            expect_equal(random_stream(seed, config, length, constraint),
                         "seed " + std::to_string(seed));
        }
    }
};

} // namespace pes::test
