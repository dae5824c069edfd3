// SPDX-License-Identifier: Apache-2.0
// Nothing in a stream says how wide SRC is. Read with another width most streams still look like
// messages, but soon hold values without a meaning.
#pragma once

#include "hw/common/trace/timestamp.h"

#include <string>
#include <vector>

namespace pes::trace {

/// The widths besides `tried` that read the start of the file without a flaw. A file that cannot be
/// read twice has none.
std::vector<unsigned> better_source_bits(const std::string& file, unsigned tried,
                                         TimestampFormat timestamps);

} // namespace pes::trace
