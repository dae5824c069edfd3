// SPDX-License-Identifier: Apache-2.0
// The results of the floating-point unit at their port, and the time an LR waits after an SC that
// failed: cycles of the RTL of v5.3.0.
#include "hw/core/timing/issue/fpu_port.h"
#include "hw/core/timing/tables/reservation_backoff.h"

#include <gtest/gtest.h>

#include <map>

namespace pes {
namespace {

using Group = FpuPort::Group;

struct Port : FpuPort {
    void end(RegisterIndex rd, Cycle issue, Cycle length, Group group, bool wide) {
        const auto later = [this](RegisterIndex older, Cycle, Cycle to) { taken[older] = to; };
        taken[rd] = take(issue, issue + length, {group, wide, rd}, later);
    }
    std::map<RegisterIndex, Cycle> taken;
};

/// fnmsub.d, fnmsub.s, fcvt.l.s and fmin.s behind a write of fflags, one a cycle.
TEST(FpuPort, ServesInTurnBehindAFlush) {
    Port port;
    port.end(9, 50, 2, Group::NonComputational, true);
    port.flush();
    port.end(1, 70, 4, Group::AddMultiply, true);
    port.end(2, 71, 3, Group::AddMultiply, false);
    port.end(3, 72, 3, Group::Convert, false);
    port.end(4, 73, 2, Group::NonComputational, false);
    EXPECT_EQ(port.taken[2], 74u); // the single goes before the double, which is as old
    EXPECT_EQ(port.taken[1], 75u);
    EXPECT_EQ(port.taken[4], 76u);
    EXPECT_EQ(port.taken[3], 77u);
}

TEST(ReservationBackoff, ItsRangeDoublesWithEachFailureInARow) {
    ReservationBackoff backoff;
    backoff.failed(100);
    EXPECT_EQ(backoff.wait(100), 0u) << "nobody waits after the first";
    backoff.failed(200);
    EXPECT_EQ(backoff.wait(200), 1u) << "the shift register began with 3";
    EXPECT_EQ(backoff.wait(201), 0u);
    backoff.passed();
    EXPECT_EQ(backoff.wait(200), 0u) << "nor after one that passed";
    backoff.failed(300);
    EXPECT_EQ(backoff.wait(300), 0u);
}

} // namespace
} // namespace pes
