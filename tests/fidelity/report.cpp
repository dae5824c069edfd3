// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pes::fidelity {

namespace {

constexpr unsigned kCold = 0;
constexpr unsigned kWarm = 1; ///< the repetition that the tables show

const char* const kIntroduction = R"(# Fidelity to the CVA6 RTL

This page compares cycles and events of the timing model with those of the CVA6 RTL (target
`cv64a6_imafdc_sv39`) for the 88 kernels in `tests/fidelity/kernels`. It is for architects and
verification engineers who need to know how accurate the model is. The RTL was measured with the same
binaries (`tests/fidelity/reference`): tag v5.3.0 with all 22 events, in its default configuration and
in the others below; and the core of 2025-07, which has no write-after-write rule, with the six events that its
counters could select. The model runs
with its default configuration, with the settings of the compared core, and with the
core's defects: loads count no DTLB miss, and v5.3.0 loses most exceptions of misaligned accesses.
[hart.md](hart.md#core-generations) lists the differences between the generations.

| RTL | parameters that differ from the default |
| --- | --- |
| `small-v5.3.0` | IcacheByteSize 8192, IcacheSetAssoc 2, DcacheByteSize 16384, DcacheSetAssoc 4, BHTEntries 64, BTBEntries 8, RASDepth 4, NrScoreboardEntries 4 |
| `narrow-v5.3.0` | NrCommitPorts 1, NrLoadPipeRegs 0, BTBEntries 0, BHTEntries 32, NrScoreboardEntries 4 |
| `deep-v5.3.0` | NrLoadPipeRegs 2, NrStorePipeRegs 1, NrScoreboardEntries 16, RASDepth 8 |

Each kernel runs three times: *cold* after reset and start-up code, then twice *warm*. The tables show
the first warm repetition; the test checks all three. Behind the first core only those kernels are shown that differ.

    cmake --build build/release --target fidelity

regenerates this page. `ctest -L model` fails if a count outside its limit is not in the list of
known deviations, if a listed count is within its limit, or if this page is out of date.

| Column | Limit, warm | Limit, cold |
| --- | --- | --- |
| cycles | mean 1 %, 95 % of the kernels within 2 %, none beyond 6 % | twice these |
| instructions; events seen at retirement (5-9, 11-13, 19-21) | exact | exact |
| misses, mispredictions, evictions (1-4, 10, 18) | 1 % or 4 counts | 2 % or 8 counts |
| levels (14-17, 22) | 5 % or 4 counts | 10 % or 8 counts |
)";

std::string cycle_summary(std::span<const Comparison> comparisons) {
    std::string text = "\n## Cycles, summary\n\n"
                       "| RTL | repetition | kernels | excluded | mean error | worst | within 2 % "
                       "(cold 4 %) |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const Comparison& comparison : comparisons) {
        for (unsigned repetition = 0; repetition < kRepetitions; ++repetition) {
            const CycleSummary summary = comparison.cycles(repetition);
            text += fmt::format(
                "| {} | {} | {} | {} | {:.3f} % | {:.2f} % | {} |\n", comparison.reference.name,
                repetition == kCold ? "cold" : fmt::format("warm {}", repetition), summary.kernels,
                summary.left_out, summary.mean, summary.worst, summary.within_two);
        }
    }
    return text + "\nKernels whose cycles are a known deviation (below) are excluded.\n";
}

std::string event_summary(const Comparison& comparison) {
    std::string text = fmt::format(
        "\n## Events, summary, {}\n\nSums over all kernels, and the number of kernels outside the "
        "limit.\n\n| | event | RTL | model | outside, warm | outside, cold |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        comparison.reference.name);
    for (Column column = 1; column <= comparison.reference.events; ++column) {
        std::uint64_t rtl = 0;
        std::uint64_t ours = 0;
        for (const std::string& kernel : comparison.order) {
            rtl += value_of(comparison.reference.kernels.at(kernel)[kWarm], column);
            ours += value_of(comparison.ours.at(kernel)[kWarm], column);
        }
        const auto outside = [&](unsigned repetition) {
            return std::count_if(comparison.deviations.begin(), comparison.deviations.end(),
                                 [&](const Deviation& deviation) {
                                     return deviation.column == column &&
                                            deviation.repetition == repetition;
                                 });
        };
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", column, column_name(column), rtl,
                            ours, outside(kWarm), outside(kCold));
    }
    return text;
}

/// One row a kernel and reason; what was counted is in the tables of the kernels.
std::string deviation_list(std::span<const Comparison> comparisons) {
    std::string text = "\n## Known deviations\n\n| RTL | kernel | outside (warm; cold) | reason |\n"
                       "| --- | --- | --- | --- |\n";
    for (const Comparison& comparison : comparisons) {
        for (const std::string& kernel : comparison.order) {
            std::map<std::string, std::array<std::string, 2>> reasons;
            for (const Deviation& deviation : comparison.deviations) {
                if (deviation.kernel != kernel || deviation.repetition > kWarm) {
                    continue;
                }
                const std::string why(deviation.known.empty() ? "not known" : deviation.known);
                std::string& list = reasons[why][deviation.repetition];
                list += (list.empty() ? "" : ", ") + column_name(deviation.column);
            }
            for (const auto& [why, lists] : reasons) {
                text += fmt::format("| {} | `{}` | {}; {} | {} |\n", comparison.reference.name,
                                    kernel, lists[kWarm].empty() ? "-" : lists[kWarm],
                                    lists[kCold].empty() ? "-" : lists[kCold], why);
            }
        }
    }
    return text;
}

bool same(const Comparison& comparison, const std::string& kernel,
          std::initializer_list<unsigned> repetitions, ColumnMask mask) {
    const Repetitions& rtl = comparison.reference.kernels.at(kernel);
    const Repetitions& ours = comparison.ours.at(kernel);
    for (const unsigned repetition : repetitions) {
        for (Column column = 0; column < kColumns; ++column) {
            if ((mask & column_bit(column)) != 0 && comparison.measured(column) &&
                value_of(rtl[repetition], column) != value_of(ours[repetition], column)) {
                return false;
            }
        }
    }
    return true;
}

/// Of the first core each kernel has its rows, of the others those that differ.
enum class Rows : std::uint8_t { All, Differing };
const char* title_of(Rows rows) {
    return rows == Rows::All ? "every kernel" : "kernels that differ";
}

std::string cycle_table(const Comparison& comparison, Rows rows) {
    std::string text =
        fmt::format("\n## Cycles of {}, {}\n\n| kernel | RTL | model | error | RTL, cold "
                    "| model, cold | error |\n| --- | --- | --- | --- | --- | --- | --- |\n",
                    title_of(rows), comparison.reference.name);
    for (const std::string& kernel : comparison.order) {
        if (rows == Rows::Differing &&
            same(comparison, kernel, {kWarm, kCold}, columns({kCycles}))) {
            continue;
        }
        text += fmt::format("| `{}` ", kernel);
        for (const unsigned repetition : {kWarm, kCold}) {
            const std::uint64_t rtl = comparison.reference.kernels.at(kernel)[repetition].cycles;
            const std::uint64_t ours = comparison.ours.at(kernel)[repetition].cycles;
            text += fmt::format("| {} | {} | {:+.2f} % ", rtl, ours, error_percent(rtl, ours));
        }
        text += "|\n";
    }
    return text;
}

std::string event_table(const Comparison& comparison, Rows rows) {
    std::string text =
        fmt::format("\n## Events of {}, warm, {}\n\nOne number where both agree, otherwise *RTL / "
                    "model*.\n\n| kernel ",
                    title_of(rows), comparison.reference.name);
    std::string rule = "| --- ";
    for (Column column = 1; column <= comparison.reference.events; ++column) {
        text += fmt::format("| {} {} ", column, column_name(column));
        rule += "| --- ";
    }
    text += "|\n" + rule + "|\n";
    for (const std::string& kernel : comparison.order) {
        if (rows == Rows::Differing &&
            same(comparison, kernel, {kWarm}, kAllColumns & ~columns({kCycles, kInstructions}))) {
            continue;
        }
        text += fmt::format("| `{}` ", kernel);
        for (Column column = 1; column <= comparison.reference.events; ++column) {
            const auto rtl = value_of(comparison.reference.kernels.at(kernel)[kWarm], column);
            const auto ours = value_of(comparison.ours.at(kernel)[kWarm], column);
            text += rtl == ours ? fmt::format("| {} ", rtl) : fmt::format("| {} / {} ", rtl, ours);
        }
        text += "|\n";
    }
    return text;
}

} // namespace

std::string markdown_report(std::span<const Comparison> comparisons) {
    std::string text = kIntroduction + cycle_summary(comparisons);
    for (const Comparison& comparison : comparisons) {
        text += event_summary(comparison);
    }
    text += deviation_list(comparisons);
    for (const Comparison& comparison : comparisons) {
        const Rows rows = &comparison == &comparisons.front() ? Rows::All : Rows::Differing;
        text += cycle_table(comparison, rows) + event_table(comparison, rows);
    }
    return text;
}

} // namespace pes::fidelity
