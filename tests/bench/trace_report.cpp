// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/trace_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pes::bench {
namespace {

std::string one_digit(double value) {
    return fmt::format("{:.1f}", value);
}

std::vector<Row> rows_of(const ProgramTrace& program) {
    std::vector<Row> rows{{program.name, "encoder idle", one_digit(program.idle_mips),
                           one_digit(program.no_blocks_mips),
                           below(program.idle_cost(), kIdleTraceBar, " %", 1), ""}};
    for (const RecordsSpeed& speed : program.records) {
        rows.push_back(
            {program.name,
             fmt::format("records of {} counter{}", speed.counters, speed.counters == 1 ? "" : "s"),
             one_digit(speed.mips), one_digit(program.timer_mips),
             below(program.cost(speed), kRecordsBar, " %", 1),
             fmt::format("{} records, {:.0f} instructions apart", speed.records, speed.distance)});
    }
    rows.push_back({program.name, "branch trace", one_digit(program.branch_mips), "",
                    at_least(program.branch_mips, kBranchTraceBar, "MIPS"),
                    fmt::format("{:.2f} bits an instruction", program.branch_bits)});
    rows.push_back({program.name, "history trace", one_digit(program.history_mips), "", "",
                    fmt::format("{:.2f} bits an instruction", program.history_bits)});
    return rows;
}

nlohmann::ordered_json records_json(const ProgramTrace& program) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const RecordsSpeed& speed : program.records) {
        list.push_back({{"counters", speed.counters},
                        {"records", speed.records},
                        {"instructions_a_record", speed.distance},
                        {"mips", speed.mips},
                        {"cost_percent", program.cost(speed)}});
    }
    return list;
}

} // namespace

Table trace_table(const TraceResults& results) {
    Table table{.header = {"program", "trace", "MIPS", "without", "result", "of which"},
                .rows = {}};
    for (const ProgramTrace& program : results.programs) {
        for (const Row& row : rows_of(program)) {
            table.rows.push_back(row);
        }
    }
    table.rows.push_back({"decoder", "performance records", "", "",
                          at_least(results.records_megabytes, kRecordsDecoderBar, "MB/s"), ""});
    table.rows.push_back(
        {"decoder", "history trace", "", "",
         at_least(results.flow_megainstructions, kFlowDecoderBar, "Minstruction/s"), ""});
    return table;
}

nlohmann::ordered_json trace_json(const TraceResults& results) {
    nlohmann::ordered_json document{{"programs", nlohmann::ordered_json::array()},
                                    {"decoder",
                                     {{"records_megabytes", results.records_megabytes},
                                      {"flow_megainstructions", results.flow_megainstructions}}},
                                    {"bars",
                                     {{"idle_cost_percent", kIdleTraceBar},
                                      {"records_cost_percent", kRecordsBar},
                                      {"branch_mips", kBranchTraceBar},
                                      {"records_megabytes", kRecordsDecoderBar},
                                      {"flow_megainstructions", kFlowDecoderBar}}}};
    for (const ProgramTrace& program : results.programs) {
        document["programs"].push_back({{"program", program.name},
                                        {"mips_without_blocks", program.no_blocks_mips},
                                        {"mips_idle", program.idle_mips},
                                        {"idle_cost_percent", program.idle_cost()},
                                        {"mips_timer", program.timer_mips},
                                        {"records", records_json(program)},
                                        {"mips_branch_trace", program.branch_mips},
                                        {"bits_branch_trace", program.branch_bits},
                                        {"mips_history_trace", program.history_mips},
                                        {"bits_history_trace", program.history_bits}});
    }
    return document;
}

} // namespace pes::bench
