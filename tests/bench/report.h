// SPDX-License-Identifier: Apache-2.0
// The measurements as a table, as JSON, and as the results section of docs/performance.md.
#pragma once

#include "tests/bench/measurement.h"

#include <string>

namespace pes::bench {

/// For a terminal: one table, each bar beside its value.
std::string text_table(const Results& results);

std::string json(const Results& results);

/// `page` with everything between its two result marks replaced. Throws std::runtime_error if it
/// has no such marks.
std::string with_results(const std::string& page, const Results& results);

} // namespace pes::bench
