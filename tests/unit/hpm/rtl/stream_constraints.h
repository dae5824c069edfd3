// SPDX-License-Identifier: Apache-2.0
// What the surroundings of a counter block cannot do, so that streams do not do it either
// (docs/rtl-counters.md, "Streams for your block").
#pragma once

#include "tests/unit/hpm/rtl/counter_stream.h"

namespace pes::test {

/// Of PES_FOREIGN_RTL: the pin map's file `constraints` defines it; without that file it does
/// nothing. Called for each step before it is played. It must leave alone what it has already
/// changed.
void constrain(Step& step);

/// For constrain(): as a hart with two retirement ports. At most as many classes of instructions
/// (load, store, branch, integer, floating point) as instructions retire, a call or return is a
/// branch, both together are two of them, and an eviction is an L1D miss.
void as_a_hart(Step& step);

} // namespace pes::test
