// SPDX-License-Identifier: Apache-2.0
// Nothing in a stream says how wide SRC is. Read with another width most streams still look like
// messages, but soon hold values without a meaning.
#pragma once

#include "hw/common/trace/timestamp.h"

#include <optional>
#include <string>

namespace pes::trace {

/// The only width besides `tried` that reads the start of the file without a flaw, if there is
/// exactly one. A file that cannot be read twice has none.
std::optional<unsigned> better_source_bits(const std::string& file, unsigned tried,
                                           TimestampFormat timestamps);

} // namespace pes::trace
