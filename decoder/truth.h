// SPDX-License-Identifier: Apache-2.0
// The exact histogram of retired instructions that the platform writes with --truth: CSV, a header
// line "pc,count", then one line for each address that ever retired ("0x80000000,17").
#pragma once

#include "decoder/sample_profile.h"

#include <istream>
#include <string>

namespace pes {

/// Counts per address, in Tally::samples. Throws UserError that names `path` and the line number.
AddressTallies read_truth(std::istream& input, const std::string& path);

} // namespace pes
