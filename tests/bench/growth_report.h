// SPDX-License-Identifier: Apache-2.0
// What grows, as a table and as JSON.
#pragma once

#include "tests/bench/growth.h"
#include "tests/bench/table.h"

#include <string>

namespace pes::bench {

/// All series below each other, each bar beside its value.
Table growth_table(const GrowthResults& results);
/// The section of docs/performance.md.
std::string growth_markdown(const GrowthResults& results);
std::string growth_json(const GrowthResults& results);

} // namespace pes::bench
