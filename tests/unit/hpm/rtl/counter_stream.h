// SPDX-License-Identifier: Apache-2.0
// What happens to a counter block, cycle by cycle, as data: made at random, run, shrunk to the few
// steps that matter, printed as a test case.
#pragma once

#include "hw/hpm/counter_config.h"
#include "hw/hpm/lockstep_bank.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes::test {

/// Bit n = Event n: streams are drawn, shrunk and printed as numbers.
using EventBits = std::uint64_t;
constexpr EventBits bits_of(Event event) {
    return EventBits{1} << static_cast<unsigned>(event);
}
constexpr EventMask mask_of(EventBits bits) {
    EventMask mask;
    mask.word(0) = bits;
    return mask;
}

/// One cycle.
struct Step {
    EventBits events = 0;
    EventBits older = 0; ///< those of them that the first instruction which retires makes
    unsigned retired = 0;
    std::uint16_t csr = 0; ///< written in this cycle; 0: no write
    std::uint64_t value = 0;
    Privilege privilege = Privilege::Machine;  ///< from the next cycle on
    bool debug = false;                        ///< the hart is in debug mode
    bool reset = false;                        ///< instead of a cycle: the reset pin
    bool pending = false;                      ///< LCOFI, for Sspesa
    std::uint32_t sampled = ~std::uint32_t{0}; ///< counters whose overflows are captured
    unsigned answers = 0; ///< bit 0: the cause of an overflow arrives; 1: that of a threshold

    bool operator==(const Step&) const = default;
};
using Stream = std::vector<Step>;
/// Takes out of a step what cannot happen.
using Constraint = std::function<void(Step&)>;

/// Streams aim at the edges: thresholds written around the present value, values around the
/// threshold, carries and the wrap, writes on the cycle of a wrap, several counters that cross or
/// wrap together, handlers that take a line back, counters that are inhibited one by one.
Stream random_stream(std::uint64_t seed, const CounterConfig& config, std::size_t length,
                     const Constraint& constraint = {});

/// The first difference between model and RTL. After every step all registers are read.
std::optional<LockstepBank::Difference> run(const Stream& stream, const CounterConfig& config,
                                            const RtlFactory& make);

/// The same on a bank, up to the first difference; it cannot be used after that.
void play(const Stream& stream, LockstepBank& bank);

/// A short stream that still fails: no step can be left out, no pulse or write either.
Stream shrink(Stream stream, const std::function<bool(const Stream&)>& fails);

/// As a test for rtl_equivalence_test.cpp. `make` is C++ for the RTL's factory.
std::string as_test_case(const Stream& stream, const CounterConfig& config, std::string_view make);

} // namespace pes::test
