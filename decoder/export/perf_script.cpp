// SPDX-License-Identifier: Apache-2.0
// The text that `perf script` prints, which FlameGraph's stackcollapse-perf.pl, speedscope and the
// Firefox Profiler read: for each sample a line with program, thread, hart, time, period and event,
// then its stack, innermost first, then an empty line. A cycle is a nanosecond; the thread is the
// hart, counted from 1, because thread 0 is the idle one.
#include "decoder/export/formats.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

constexpr std::uint64_t kNanoseconds = 1'000'000'000;

/// Readers end a name of a program or file at a blank.
std::string one_word(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n' || c == '\t'; }, '_');
    return text;
}

/// As perf names it. Readers skip what begins with "(".
std::string symbol(const RowPlace& place) {
    if (place.function.empty()) {
        return "[unknown]";
    }
    std::string name = place.function;
    std::replace(name.begin(), name.end(), '\n', ' ');
    return fmt::format("{}{}+{:#x}", name.front() == '(' ? "_" : "", name, place.offset);
}

std::string frame_line(const RowPlace& place) {
    return fmt::format("\t{:16x} {} ({})\n", place.address, symbol(place),
                       place.program.empty() ? "[unknown]" : one_word(place.program));
}

} // namespace

void export_perf_script(OutputFile& file, ExportData& data) {
    for (const ExportedSample& sample : data.samples()) {
        const std::uint64_t time = data.nanoseconds(sample.record.cycle);
        const SampleRecord& record = sample.record;
        const ExportedStack& stack = data.stacks()[sample.stack];
        const RowPlace& innermost = data.place(stack.front());
        file.write(
            fmt::format("{} 1/{} [{:03}] {}.{:09}: {:>10} {}: \n",
                        innermost.program.empty() ? "unknown" : one_word(program_name(innermost)),
                        std::uint64_t{record.hart} + 1, record.hart, time / kNanoseconds,
                        time % kNanoseconds, sample.weight, data.events()[sample.event].name));
        for (const std::size_t place : stack) {
            file.write(frame_line(data.place(place)));
        }
        file.write("\n");
    }
}

} // namespace pes
