// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/work.h"

#include "tests/bench/contender.h"
#include "tests/bench/process_cost.h"
#include "tests/pages/page.h"

#include <fmt/format.h>

#include <future>
#include <stdexcept>

namespace pes::bench {
namespace {

struct Total {
    double host = 0;
    double simulated = 0;
};

Total total_through(const std::vector<std::string>& command, std::uint64_t cycle,
                    const std::string& valgrind) {
    const std::vector<std::string> run_to = with(command, {"--max-cycles", std::to_string(cycle)});
    const ScratchDirectory scratch;
    const std::string file = scratch.file("callgrind.out");
    run(with({valgrind, "--quiet", "--tool=callgrind", "--callgrind-out-file=" + file}, run_to),
        kCycleLimitExit);
    return {.host = static_cast<double>(host_instructions(pages::read_file(file))),
            .simulated = static_cast<double>(count(run_to, kCycleLimitExit).instructions)};
}

double host_an_instruction(const std::vector<std::string>& command, const std::string& valgrind) {
    const auto through = [&](std::uint64_t cycle) {
        return std::async(std::launch::async, [&command, &valgrind, cycle] {
            return total_through(command, cycle, valgrind);
        });
    };
    auto from = through(kWorkFrom);
    auto to = through(kWorkTo);
    const Total before = from.get();
    const Total after = to.get();
    return (after.host - before.host) / (after.simulated - before.simulated);
}

} // namespace

std::uint64_t host_instructions(const std::string& callgrind_out) {
    const std::string key = "\ntotals: ";
    const std::size_t at = callgrind_out.find(key);
    if (at == std::string::npos) {
        throw std::runtime_error("callgrind has counted nothing");
    }
    return std::stoull(callgrind_out.substr(at + key.size(), 24));
}

std::vector<Work> measure_work(const Settings& settings, const std::string& valgrind) {
    std::vector<Work> works;
    for (const ProgramBar& bar : kPrograms) {
        const auto measured = [&](const char* variant, const std::vector<std::string>& options) {
            return host_an_instruction(
                with(on_platform(settings, fmt::format("{}_{}", bar.name, variant), "fast"),
                     options),
                valgrind);
        };
        const double counting = measured("counting", {});
        works.push_back({bar.name, "a sample every 10,000 loads", counting,
                         measured("sampling", {}), kSamplingCostBar});
        works.push_back({bar.name, "encoder idle",
                         measured("counting", {"--set", "trace.enabled=false"}), counting,
                         kIdleTraceBar});
        const double timer = measured("timer", {});
        works.push_back(
            {bar.name, "records of 1 counter", timer, measured("one_records", {}), kRecordsBar});
        works.push_back(
            {bar.name, "records of 6 counters", timer, measured("six_records", {}), kRecordsBar});
    }
    return works;
}

Table work_table(const std::vector<Work>& works) {
    Table table{.header = {"program", "with", "host instructions for one", "without", "result"},
                .rows = {}};
    for (const Work& work : works) {
        table.rows.push_back({work.program, work.addition, fmt::format("{:.1f}", work.with),
                              fmt::format("{:.1f}", work.without),
                              below(work.cost(), work.bar, " %", 1)});
    }
    return table;
}

} // namespace pes::bench
