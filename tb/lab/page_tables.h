// SPDX-License-Identifier: Apache-2.0
// The tables of docs/precision.md.
#pragma once

#include "tb/lab/results.h"

#include <string>

namespace pes::lab {

/// Markdown: programs, cost and skid, a table of errors for each grouping, systematic errors.
std::string page_tables(const Results& results);

} // namespace pes::lab
