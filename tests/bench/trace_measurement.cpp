// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/trace_measurement.h"

#include "tests/bench/decoder_speed.h"

#include <fmt/format.h>

namespace pes::bench {
namespace {

const std::vector<std::string> kWithoutBlocks{"--set", "trace.enabled=false"};

constexpr unsigned kEmptyTraceRuns = 7; ///< a turn: short, so many

/// Program trace is taken of the beginning of a program: its cost does not change later.
constexpr std::uint64_t kMeasuredTraceCycles = 20'000'000;

Contender traced(const Settings& settings, const ScratchDirectory& scratch,
                 const std::string& program, const char* kind) {
    return {with(on_platform(settings, program, "auto"),
                 {"--trace", scratch.file("trace.rtd"), "--trace-program", kind, "--trace-itc",
                  "off", "--max-cycles", std::to_string(kMeasuredTraceCycles)}),
            kCycleLimitExit};
}

double mips(std::uint64_t instructions, double seconds) {
    return static_cast<double>(instructions) / seconds * 1e-6;
}

double bits_an_instruction(const Counts& counts) {
    return 8 * static_cast<double>(counts.trace_bytes) / static_cast<double>(counts.instructions);
}

} // namespace

TraceMeasurement::Program::Program(const Settings& settings, const ScratchDirectory& scratch,
                                   const char* name)
    : name(name), no_blocks{with(on_platform(settings, fmt::format("{}_counting", name), "fast"),
                                 kWithoutBlocks)},
      idle{on_platform(settings, fmt::format("{}_counting", name), "fast")},
      timer{on_platform(settings, fmt::format("{}_timer", name), "fast")},
      six_records{on_platform(settings, fmt::format("{}_six_records", name), "fast")},
      one_records{on_platform(settings, fmt::format("{}_one_records", name), "fast")},
      branch(traced(settings, scratch, fmt::format("{}_counting", name), "btm")),
      history(traced(settings, scratch, fmt::format("{}_counting", name), "htm")) {}

TraceMeasurement::TraceMeasurement(const Settings& settings)
    : empty_without_blocks_{with(on_platform(settings, "empty", "auto"), kWithoutBlocks)} {
    for (const ProgramBar& bar : kPrograms) {
        programs_.emplace_back(settings, scratch_, bar.name);
    }
}

void TraceMeasurement::take_turn() {
    for (unsigned turn = 0; turn < kEmptyTraceRuns; ++turn) {
        empty_without_blocks_.take_turn();
    }
    for (Program& program : programs_) {
        for (Contender* contender :
             {&program.no_blocks, &program.idle, &program.timer, &program.six_records,
              &program.one_records, &program.branch, &program.history}) {
            contender->take_turn();
        }
    }
}

ProgramTrace TraceMeasurement::result(const Program& program, const Contender& empty) const {
    const Counts counting = count(program.idle.command);
    const Counts timer = count(program.timer.command);
    const auto records = [&](const Contender& contender, unsigned counters) {
        const Counts counts = count(contender.command);
        return RecordsSpeed{.counters = counters,
                            .records = counts.traps, // nothing else interrupts
                            .distance = static_cast<double>(counts.instructions) /
                                        static_cast<double>(counts.traps),
                            .mips = mips(counts.instructions, contender.net_seconds(empty))};
    };
    const Counts branch = count(program.branch.command, kCycleLimitExit);
    const Counts history = count(program.history.command, kCycleLimitExit);
    return {.name = program.name,
            .no_blocks_mips =
                mips(counting.instructions, program.no_blocks.net_seconds(empty_without_blocks_)),
            .idle_mips = mips(counting.instructions, program.idle.net_seconds(empty)),
            .timer_mips = mips(timer.instructions, program.timer.net_seconds(empty)),
            .records = {records(program.six_records, 6), records(program.one_records, 1)},
            .branch_mips = mips(branch.instructions, program.branch.net_seconds(empty)),
            .branch_bits = bits_an_instruction(branch),
            .history_mips = mips(history.instructions, program.history.net_seconds(empty)),
            .history_bits = bits_an_instruction(history)};
}

TraceResults TraceMeasurement::results(const Contender& empty) const {
    TraceResults results;
    for (const Program& program : programs_) {
        results.programs.push_back(result(program, empty));
    }
    results.records_megabytes = measure_records_decoder().records;
    results.flow_megainstructions = measure_flow_decoder().flow;
    return results;
}

} // namespace pes::bench
