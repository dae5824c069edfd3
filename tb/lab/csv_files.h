// SPDX-License-Identifier: Apache-2.0
// Results as CSV with a header line. docs/lab.md lists the columns.
#pragma once

#include "tb/lab/results.h"

#include <string>

namespace pes::lab {

std::string points_csv(const Results& results); ///< a line for each point and grouping
std::string costs_csv(const Results& results);
std::string skids_csv(const Results& results);

} // namespace pes::lab
