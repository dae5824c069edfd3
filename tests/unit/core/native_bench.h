// SPDX-License-Identifier: Apache-2.0
// Judges native code (hw/core/blocks/native): a program runs to its WFI on each path and with
// native code at once, and each time the test compares what it did with the specification.
#pragma once

#include "hw/core/blocks/native/native_code.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace pes::test {

/// Skips where there is no native code to be judged.
class HartNative : public testing::Test {
  protected:
    void SetUp() override {
        if (!NativeCode::available()) {
            GTEST_SKIP() << "no native code for this host";
        }
    }
};

/// Compares a machine that has reached its WFI with the specification.
using Check = std::function<void(BareMachine&)>;

inline void check_nothing(BareMachine&) {}

/// A hart that makes code as soon as a path has been taken so often.
HartConfig natively(HartConfig config, std::uint64_t jit_after = 1);

/// Runs from kCode to a WFI, without observers, and returns what the hart has done.
Life live_to_wfi(const HartConfig& config, const Prepare& prepare, const Check& check);

/// The same with each path and with native code; it has to be there, and all have to agree. The
/// configuration's path and jit are set here.
Life judge(const HartConfig& config, const Prepare& prepare, const Check& check);
inline Life judge(const Prepare& prepare, const Check& check) {
    return judge(BareMachine::default_config(), prepare, check);
}

/// Values at which instructions differ, and others.
const std::vector<std::uint64_t>& edge_values();
std::uint64_t random_value(std::mt19937_64& random);

/// Words that are run `times` times, counted by s11; then WFI. Long loops may be placed.
inline constexpr Reg s11 = static_cast<Reg>(27);
void place_loop(BareMachine& machine, const std::vector<Word>& body, std::uint64_t times,
                Address at = BareMachine::kCode);

} // namespace pes::test
