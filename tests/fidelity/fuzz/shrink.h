// SPDX-License-Identifier: Apache-2.0
// Makes a program that shows a difference as small as it can.
#pragma once

#include "tests/fidelity/fuzz/workshop.h"

#include <functional>

namespace pes::cycle_fuzz {

/// True if a program still shows what is looked for; it may be asked for one that does not
/// assemble.
using Shows = std::function<bool(const Program&)>;

/// Leaves out units, then lines, for as long as the rest still `shows` the difference, and all
/// passes but the first if `passes` does not ask for them. Asks at most `budget` times.
Program shrink(const Program& program, const Shows& shows, unsigned budget, bool passes);

} // namespace pes::cycle_fuzz
