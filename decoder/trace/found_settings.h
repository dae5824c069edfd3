// SPDX-License-Identifier: Apache-2.0
// What nobody has said of a trace, as the start of its file shows it: protocol and dialect. In the
// wrong one it still reads somehow, with times, or messages, that cannot be.
#pragma once

#include "decoder/trace/trace_settings.h"

#include <string>

namespace pes::trace {

struct FoundSettings {
    TraceSettings settings; ///< what differs from the defaults; nothing if these fit
    std::string sentence;   ///< says so; empty with nothing
};

/// A file that cannot be read twice shows nothing.
FoundSettings find_settings(const std::string& file, const TraceSettings& options,
                            const TraceSettings& side_file);

} // namespace pes::trace
