// SPDX-License-Identifier: Apache-2.0
// One seed on both simulators, and the report if they disagree.
#pragma once

#include "tests/differential/toolchain.h"

#include <optional>
#include <string>

namespace pes::differential {

/// The difference, as text to print; nothing if both agree. The ELF of a disagreement is kept.
std::optional<std::string> compare(const Tools& tools, const ProgramRequest& request);

/// All registers of both simulators after a block, whether they differ or not.
std::string register_report(const Tools& tools, const ProgramRequest& request, unsigned block);

} // namespace pes::differential
