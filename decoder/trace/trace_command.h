// SPDX-License-Identifier: Apache-2.0
// pes-decode trace: options as typed data, and the work. Returns the exit code; throws UserError.
#pragma once

#include "decoder/trace/perf_products.h"
#include "hw/common/trace/timestamp.h"

#include <string>

namespace pes {

struct TraceCommand {
    std::string file;
    std::string messages;  ///< path, "-" = standard output, empty = none
    std::string itc_print; ///< the same for the text of a stimulus
    unsigned itc_stimulus = 0;
    unsigned source_bits = 0;
    trace::TimestampFormat timestamps;
    std::string program; ///< path of the ELF file, empty = none
    trace::PerfOptions perf;
    bool strict = false;
};

int run_trace(const TraceCommand& command);

} // namespace pes
