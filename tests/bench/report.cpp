// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/report.h"

#include "tests/bench/trace_report.h"
#include "tests/pages/page.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace pes::bench {
namespace {

constexpr const char* kBeginMark = "<!-- results: written by pes-bench --markdown -->";
constexpr const char* kEndMark = "<!-- end of results -->";

const Row kReportHeader{"program",   "path",  "instructions",   "CPI",      "samples", "MIPS",
                        "QEMU MIPS", "ratio", "sampling costs", "peak MiB", "wall ms"};

constexpr std::size_t kQemu = 6; // columns
constexpr std::size_t kRatio = 7;

/// "QEMU/22.4 (1/25 pass)": speed as a fraction of another's.
std::string fraction(const char* of, double ratio, double bar) {
    return fmt::format("{}/{:.1f} (1/{:.3g} {})", of, 1 / ratio, 1 / bar, verdict(ratio >= bar));
}

Row path_row(const char* program, const char* path, const PathSpeed& speed) {
    return {program,
            path,
            std::to_string(speed.instructions),
            fmt::format("{:.3f}", static_cast<double>(speed.cycles) /
                                      static_cast<double>(speed.instructions)),
            std::to_string(speed.samples),
            fmt::format("{:.1f}", speed.mips),
            "",
            "",
            below(speed.sampling_cost, kSamplingCostBar, " %", 1),
            below(speed.peak_mebibytes, kMemoryBar, "", 0),
            ""};
}

Row counters_row(const char* program, const char* kind, double megacycles, double bar) {
    Row row(kReportHeader.size());
    row[0] = program;
    row[1] = kind;
    row[kRatio] = at_least(megacycles, bar, "Mcycle/s");
    return row;
}

std::vector<Row> rows_of(const Results& results) {
    std::vector<Row> rows;
    for (const ProgramSpeed& program : results.programs) {
        Row fast = path_row(program.bar.name, "fast", program.fast);
        if (program.qemu_mips) {
            fast[kQemu] = fmt::format("{:.0f}", *program.qemu_mips);
            fast[kRatio] =
                fraction("QEMU", program.fast.mips / *program.qemu_mips, program.bar.of_qemu);
        }
        Row step = path_row(program.bar.name, "step", program.step);
        step[kRatio] = fraction("fast", program.step.mips / program.fast.mips, kStepOfFastBar);
        rows.push_back(fast);
        rows.push_back(step);
        if (program.rtl_megacycles && program.lockstep_megacycles) {
            rows.push_back(counters_row(program.bar.name, "rtl", *program.rtl_megacycles, kRtlBar));
            rows.push_back(counters_row(program.bar.name, "lockstep", *program.lockstep_megacycles,
                                        kLockstepBar));
        }
    }
    Row empty(kReportHeader.size());
    empty.front() = "empty";
    empty.back() = below(results.empty_milliseconds, kEmptyBar, "", 1);
    rows.push_back(empty);
    return rows;
}

Table speed_table(const Results& results) {
    return {.header = kReportHeader, .rows = rows_of(results)};
}

std::string markdown_results(const Results& results) {
    std::string text = measured_how(results.machine, results.runs);
    text += results.qemu_version.empty() ? ".\n\n" : "; beside " + results.qemu_version + ".\n\n";
    text += markdown(speed_table(results)) + "\nTrace:\n\n" + markdown(trace_table(results.trace));
    return text;
}

nlohmann::ordered_json path_json(const PathSpeed& speed) {
    return {{"instructions", speed.instructions},
            {"cycles", speed.cycles},
            {"samples", speed.samples},
            {"mips", speed.mips},
            {"mips_without_sampling", speed.counting_mips},
            {"sampling_cost_percent", speed.sampling_cost},
            {"peak_mebibytes", speed.peak_mebibytes}};
}

} // namespace

std::string text_table(const Results& results) {
    return results.machine + "\n" + text(speed_table(results)) + "\n" +
           text(trace_table(results.trace));
}

std::string json(const Results& results) {
    nlohmann::ordered_json document{{"machine", results.machine},
                                    {"qemu", results.qemu_version},
                                    {"runs", results.runs},
                                    {"programs", nlohmann::ordered_json::array()},
                                    {"empty_milliseconds", results.empty_milliseconds},
                                    {"bars",
                                     {{"step_of_fast", kStepOfFastBar},
                                      {"sampling_cost_percent", kSamplingCostBar},
                                      {"peak_mebibytes", kMemoryBar},
                                      {"empty_milliseconds", kEmptyBar},
                                      {"rtl_megacycles", kRtlBar},
                                      {"lockstep_megacycles", kLockstepBar}}},
                                    {"trace", trace_json(results.trace)}};
    for (const ProgramSpeed& program : results.programs) {
        nlohmann::ordered_json entry{{"program", program.bar.name},
                                     {"fast", path_json(program.fast)},
                                     {"step", path_json(program.step)},
                                     {"step_of_fast", program.step.mips / program.fast.mips},
                                     {"fast_of_qemu_bar", program.bar.of_qemu}};
        if (program.qemu_mips) {
            entry["qemu_mips"] = *program.qemu_mips;
            entry["fast_of_qemu"] = program.fast.mips / *program.qemu_mips;
        }
        if (program.rtl_megacycles && program.lockstep_megacycles) {
            entry["rtl_megacycles"] = *program.rtl_megacycles;
            entry["lockstep_megacycles"] = *program.lockstep_megacycles;
        }
        document["programs"].push_back(entry);
    }
    return document.dump(2) + "\n";
}

std::string with_results(const std::string& page, const Results& results) {
    return pages::with_section(page, kBeginMark, kEndMark, markdown_results(results));
}

} // namespace pes::bench
