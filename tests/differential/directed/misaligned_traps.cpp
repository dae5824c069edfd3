// SPDX-License-Identifier: Apache-2.0
// Default configuration: plain misaligned loads and stores trap, as on CVA6, with tval = address.
#include "directed.h"

namespace {

alignas(16) u64 data[4] = {0x1122'3344'5566'7788, 0x99AA'BBCC'DDEE'FF00, 0, 0};
u64 probe;

} // namespace

int main() {
    const u64 base = u64(data);
    probe = PROBE("lh t0, 1(%1)", "r"(base));
    CHECK_TRAP(Machine, LoadMisaligned, probe, base + 1);
    probe = PROBE("lwu t0, 2(%1)", "r"(base));
    CHECK_TRAP(Machine, LoadMisaligned, probe, base + 2);
    probe = PROBE("ld t0, 4(%1)", "r"(base));
    CHECK_TRAP(Machine, LoadMisaligned, probe, base + 4);
    probe = PROBE("flw ft0, 1(%1)", "r"(base));
    CHECK_TRAP(Machine, LoadMisaligned, probe, base + 1);
    probe = PROBE("fld ft0, 7(%1)", "r"(base));
    CHECK_TRAP(Machine, LoadMisaligned, probe, base + 7);
    probe = PROBE("sh zero, 3(%1)", "r"(base));
    CHECK_TRAP(Machine, StoreMisaligned, probe, base + 3);
    probe = PROBE("sw zero, 1(%1)", "r"(base));
    CHECK_TRAP(Machine, StoreMisaligned, probe, base + 1);
    probe = PROBE("sd zero, 4(%1)", "r"(base));
    CHECK_TRAP(Machine, StoreMisaligned, probe, base + 4);
    probe = PROBE("fsd ft0, 1(%1)", "r"(base));
    CHECK_TRAP(Machine, StoreMisaligned, probe, base + 1);
    CHECK_EQ(data[0], 0x1122'3344'5566'7788); // nothing was stored, not even in part
    CHECK_EQ(data[1], 0x99AA'BBCC'DDEE'FF00);
    probe = PROBE("lb t0, 1(%1)\nlh t0, 2(%1)\nlw t0, 4(%1)", "r"(base));
    CHECK_NO_TRAP();
    return failures;
}
