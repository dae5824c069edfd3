// SPDX-License-Identifier: Apache-2.0
// Operand values: random ones, with a strong bias to the corners where implementations err.
#pragma once

#include "tests/differential/random.h"

#include <cstdint>

namespace pes::differential {

std::uint64_t integer_value(Random& random);

/// A 64-bit register pattern: a double, a boxed single, or a single that is not properly boxed.
std::uint64_t float_value(Random& random);

/// A 12-bit signed immediate.
int immediate(Random& random);

} // namespace pes::differential
