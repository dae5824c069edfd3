// SPDX-License-Identifier: Apache-2.0
// The start of a trace file, for questions that come before it is read, or behind.
#pragma once

#include <string>

namespace pes::trace {

/// Up to 256 KiB; the last message may be cut off. Empty for a file that cannot be read twice.
std::string sample_of(const std::string& file);

} // namespace pes::trace
