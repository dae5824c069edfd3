// SPDX-License-Identifier: Apache-2.0
// PLIC and CLINT in kernel time: accesses by TLM, level wires in and out, and no wake-up in vain.
#include "hw/common/systemc/device_module.h"
#include "hw/interface/maps/clint.h"
#include "hw/interface/maps/plic.h"
#include "hw/irq/clint.h"
#include "hw/irq/plic.h"
#include "tests/unit/common/level_recorder.h"
#include "tests/unit/common/test_initiator.h"

#include <memory>
#include <utility>

namespace pes {
namespace {

using Changes = std::vector<test::LevelChange>;
constexpr Cycle kLatency = 10;

struct Bench {
    ClockDomain clock{50'000'000};
    DeviceModule plic{"plic", std::make_unique<Plic>(PlicConfig{}), 2, clock, kLatency};
    DeviceModule clint{"clint", std::make_unique<Clint>(ClintConfig{}), 2, clock, kLatency};
    test::TestInitiator to_plic{"to_plic", clock};
    test::TestInitiator to_clint{"to_clint", clock};
    test::LevelRecorder machine, timer, software;
    LevelWire meip{"meip", machine, 11};
    LevelWire mtip{"mtip", timer, 7};
    LevelWire msip{"msip", software, 3};
    LevelWire source_7{"source_7", plic.sources(), 7};

    Bench() {
        to_plic.socket.bind(plic.socket());
        to_clint.socket.bind(clint.socket());
        plic.outputs[0].bind(meip); // the other stays open: an interrupt that goes nowhere
        clint.outputs[0].bind(mtip);
        clint.outputs[1].bind(msip);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// Every cycle in which a process wakes until there is nothing left to do.
    std::vector<Cycle> run_out() {
        std::vector<Cycle> wakes;
        while (sc_core::sc_pending_activity()) {
            const Cycle next = clock.now() + clock.cycle_of(sc_core::sc_time_to_pending_activity());
            wakes.push_back(next);
            test::run_to(clock, next);
        }
        return wakes;
    }
};

Bench& bench() {
    static Bench instance;
    return instance;
}

Changes take(test::LevelRecorder& recorder) {
    return std::exchange(recorder.changes, {});
}

TEST(PlicModule, WakesOnlyWhileTheStateMachineMoves) {
    auto& b = bench();
    b.to_plic.write<std::uint32_t>(plic::kPriority + 4 * 8, 1);
    EXPECT_EQ(b.to_plic.latency, kLatency);
    b.to_plic.write<std::uint32_t>(plic::kEnable, 1U << 8);
    b.to_plic.write<std::uint32_t>(plic::kEnable + plic::kEnableStride, 1U << 8);
    b.run_out();
    test::run_to(b.clock, 1000);
    b.source_7.set_level(true, 1000);
    EXPECT_EQ(b.run_out(), (std::vector<Cycle>{1001, 1002, 1003})); // the last finds it stable
    EXPECT_EQ(take(b.machine), (Changes{{11, true, 1002}}));
}

TEST(PlicModule, ClaimAndCompletionTakeEffectInTheirOwnCycle) {
    auto& b = bench();
    test::run_to(b.clock, 1100);
    const Address claim = plic::kContext + plic::kClaimComplete;
    b.to_plic.ahead = 5;
    EXPECT_EQ(b.to_plic.read<std::uint32_t>(claim), 8U);
    b.to_plic.ahead = 0;
    b.run_out();
    EXPECT_EQ(take(b.machine), (Changes{{11, false, 1107}}));
    b.source_7.set_level(false, 1120);
    test::run_to(b.clock, 1130);
    b.to_plic.write<std::uint32_t>(claim, 8);
    b.run_out();
    EXPECT_EQ(b.plic.device().next_change(), kNever);
    EXPECT_EQ(take(b.machine), Changes{});
}

TEST(PlicModule, ALateEdgeStillYieldsItsExactTargetCycle) {
    auto& b = bench();
    test::run_to(b.clock, 1203);
    b.source_7.set_level(true, 1201);
    b.run_out();
    EXPECT_EQ(take(b.machine), (Changes{{11, true, 1203}}));
}

TEST(PlicModule, RefusesA64BitAccess) {
    auto& b = bench();
    std::uint64_t value = 0;
    EXPECT_EQ(b.to_plic.try_read(0, value), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(ClintModule, WakesExactlyAtTheCrossing) {
    auto& b = bench();
    test::run_to(b.clock, 2000);
    b.to_clint.write<std::uint64_t>(clint::kMtimecmp, 600);
    EXPECT_EQ(b.to_clint.latency, kLatency);
    EXPECT_EQ(b.run_out(), (std::vector<Cycle>{2400}));
    EXPECT_EQ(take(b.timer), (Changes{{7, true, 2400}}));
}

TEST(ClintModule, ARewrittenMtimecmpReplacesTheWakeUp) {
    auto& b = bench();
    test::run_to(b.clock, 3000);
    b.to_clint.write<std::uint64_t>(clint::kMtimecmp, 800); // 3200
    test::run_to(b.clock, 3010);
    b.to_clint.write<std::uint64_t>(clint::kMtimecmp, 900); // 3600
    EXPECT_EQ(b.run_out(), (std::vector<Cycle>{3600}));
    EXPECT_EQ(take(b.timer), (Changes{{7, false, 3001}, {7, true, 3600}}));
}

TEST(ClintModule, ADeadlineBeyondKernelTimeIsNotArmed) {
    auto& b = bench();
    b.to_clint.write<std::uint64_t>(clint::kMtimecmp, ~std::uint64_t{0} / 8);
    EXPECT_FALSE(sc_core::sc_pending_activity());
    take(b.timer);
}

TEST(ClintModule, SoftwareInterruptCarriesTheCycleAfterTheWrite) {
    auto& b = bench();
    test::run_to(b.clock, 4000);
    b.to_clint.write<std::uint32_t>(clint::kMsip, 1);
    EXPECT_EQ(take(b.software), (Changes{{3, true, 4001}}));
    EXPECT_EQ(b.to_clint.read<std::uint64_t>(clint::kMtime), 1000U);
}

} // namespace
} // namespace pes
