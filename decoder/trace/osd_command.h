// SPDX-License-Identifier: Apache-2.0
// pes-decode trace --format osd: packets of software trace modules. Returns the exit code; throws
// UserError.
#pragma once

#include "decoder/trace/trace_command.h"

namespace pes {

int run_packets(const TraceCommand& command);

} // namespace pes
