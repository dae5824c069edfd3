// SPDX-License-Identifier: Apache-2.0
// Nothing in a stream says how wide SRC is. Read with another width most streams still look like
// messages, but soon hold values without a meaning.
#pragma once

#include "decoder/trace/trace_settings.h"

#include <string>
#include <vector>

namespace pes::trace {

/// The widths besides `tried`'s that read the start of the file without a flaw; none if that one
/// does so too. A file that cannot be read twice has none.
std::vector<unsigned> better_source_bits(const std::string& file, const TraceEncoding& tried);

} // namespace pes::trace
