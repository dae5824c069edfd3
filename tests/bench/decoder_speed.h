// SPDX-License-Identifier: Apache-2.0
// How fast pes-decode's library reads a trace that lies in memory, in CPU time of this process:
// what else runs on the machine does not count, and of several runs the best does.
#pragma once

#include <cstdint>
#include <ctime>

namespace pes::bench {

/// Decoding an instrumentation trace of performance records, each step with those before it: MB/s.
struct RecordsDecoderSpeed {
    double bytes = 0;    ///< looking at each byte once
    double messages = 0; ///< messages
    double contexts = 0; ///< times, addresses, quality
    double records = 0;  ///< performance records
};
RecordsDecoderSpeed measure_records_decoder();

/// Reconstructing instructions from a history trace: million instructions a second.
struct FlowDecoderSpeed {
    std::uint64_t bytes = 0;
    std::uint64_t instructions = 0;
    double flow = 0;
    double walk = 0; ///< looking at each instruction word once, with the branches known
};
FlowDecoderSpeed measure_flow_decoder();

inline double processor_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace pes::bench
