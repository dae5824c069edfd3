// SPDX-License-Identifier: Apache-2.0
// The two ways to take a sample every T loads of a user program, on a bare machine: a counter that
// starts at 0 with threshold T, and one that starts at -T and overflows (Sscofpmf). The handler is
// the same code for both and counts on from where the counter stands, so that no event is lost.
#pragma once

#include "hw/core/hart_config.h"
#include "tests/unit/core/bare_machine.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace pes::test {

enum class SamplingWay : std::uint8_t { Threshold, Overflow };

struct Sampling {
    std::uint64_t loads = 0;  ///< of the user program
    std::uint64_t period = 0; ///< T
    SamplingWay way = SamplingWay::Threshold;
    ExecutionPath path = ExecutionPath::Auto;
};

/// The interrupted pcs, oldest first. The counter's filter keeps M-mode out.
std::vector<Address> take_samples(const Sampling& sampling, std::unique_ptr<CounterBank> bank);

} // namespace pes::test
