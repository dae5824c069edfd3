// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/native_bench.h"

#include <limits>

namespace pes::test {
namespace {

constexpr Cycle kLongEnough = 10'000'000;

HartConfig not_native(HartConfig config, ExecutionPath path) {
    config.path = path;
    config.jit = NativePaths::Off;
    return config;
}

} // namespace

HartConfig natively(HartConfig config, std::uint64_t jit_after) {
    config.path = ExecutionPath::Fast;
    config.jit = NativePaths::On;
    config.jit_after = jit_after;
    return config;
}

Life live_to_wfi(const HartConfig& config, const Prepare& prepare, const Check& check) {
    BareMachine machine(config);
    prepare(machine);
    machine.stop_observing();
    EXPECT_EQ(machine.run(BareMachine::kCode, 0, kLongEnough), BareMachine::End::Waiting);
    const std::uint64_t native = machine.hart().path_statistics().native_nodes;
    if (config.jit == NativePaths::Off) {
        EXPECT_EQ(native, 0U);
    } else {
        EXPECT_GT(native, 0U);
    }
    check(machine);
    return life_of(machine);
}

Life judge(const HartConfig& config, const Prepare& prepare, const Check& check) {
    Life stepped = live_to_wfi(not_native(config, ExecutionPath::Step), prepare, check);
    for (const HartConfig& each :
         {not_native(config, ExecutionPath::Fast), natively(config, 1), natively(config, 2)}) {
        SCOPED_TRACE(each.jit == NativePaths::Off ? 0 : each.jit_after);
        expect_equal(stepped, live_to_wfi(each, prepare, check));
    }
    return stepped;
}

const std::vector<std::uint64_t>& edge_values() {
    static const std::vector<std::uint64_t> values{0,
                                                   1,
                                                   ~0ULL,
                                                   1ULL << 63,
                                                   (1ULL << 63) - 1,
                                                   1ULL << 31,
                                                   (1ULL << 31) - 1,
                                                   0xFFFF'FFFF,
                                                   ~0ULL << 31,
                                                   0x1234'5678'8765'4321,
                                                   31,
                                                   32,
                                                   63,
                                                   64,
                                                   95};
    return values;
}

/// Short and long ones, of both signs.
std::uint64_t random_value(std::mt19937_64& random) {
    const std::uint64_t value = random() >> random() % 64;
    return random() % 2 == 0 ? value : ~value;
}

void place_loop(BareMachine& machine, const std::vector<Word>& body, std::uint64_t times,
                Address at) {
    std::vector<Word> words = body;
    words.push_back(addi(s11, s11, -1));
    words.push_back(beq(s11, zero, 8));
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    words.push_back(kWfi);
    machine.place(at, words);
    machine.set(s11, times);
}

} // namespace pes::test
