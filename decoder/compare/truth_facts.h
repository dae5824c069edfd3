// SPDX-License-Identifier: Apache-2.0
// All that a truth file says of each address, for a report: retirements, cycles by reason, events.
#pragma once

#include "platform/report/run_report.h"

#include <istream>
#include <string>

namespace pes {

/// Fills the report's reasons, events and addresses, and its cycles, instructions and cycle stack:
/// all that the file has, over all its modes and address spaces. Throws UserError as read_truth().
void read_truth_facts(std::istream& input, const std::string& path, RunReport& report);

} // namespace pes
