// SPDX-License-Identifier: Apache-2.0
// pes-trace-bench: speed of decoding an instrumentation trace on one core, step by step, and as a
// ratio to looking at each byte once in the same run. A report, not a test.
#include "tests/bench/decoder_speed.h"

#include <cstdio>

int main() {
    const pes::bench::RecordsDecoderSpeed speed = pes::bench::measure_records_decoder();
    const auto report = [&speed](const char* name, double value) {
        std::printf("%-28s%10.0f%18.2f\n", name, value, value / speed.bytes);
    };
    std::printf("%-28s%10s%18s\n", "instrumentation trace", "MB/s", "bytes alone = 1");
    report("bytes alone", speed.bytes);
    report("messages", speed.messages);
    report("+ times, addresses, quality", speed.contexts);
    report("+ performance records", speed.records);
    return 0;
}
