// SPDX-License-Identifier: Apache-2.0
// pes-bench-trace-flow: how fast instructions are reconstructed from a history trace, and the ratio
// to looking at each instruction word once in the same run. A report, not a test.
#include "tests/bench/decoder_speed.h"

#include <cstdio>

int main() {
    const pes::bench::FlowDecoderSpeed speed = pes::bench::measure_flow_decoder();
    const auto instructions = static_cast<double>(speed.instructions);
    const auto bytes = static_cast<double>(speed.bytes);
    std::printf("history trace: %.1f MB, %.1f million instructions, %.3f bits an instruction\n",
                bytes / 1e6, instructions / 1e6, 8 * bytes / instructions);
    std::printf("  flow       %8.1f million instructions/s, %.1f MB/s\n", speed.flow,
                speed.flow * bytes / instructions);
    std::printf("  plain walk %8.1f million instructions/s\n", speed.walk);
    std::printf("  ratio      %8.2f\n", speed.flow / speed.walk);
    return 0;
}
