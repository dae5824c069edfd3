// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/comparison.h"

#include "hw/interface/pmu/profile_cva6.h"
#include "platform/host/user_error.h"
#include "tests/fidelity/kernel_machine.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace pes::fidelity {

namespace {

constexpr ColumnMask kMisses = columns({1, 2, 3, 4, 10, 18});
constexpr ColumnMask kLevels = columns({14, 15, 16, 17, 22});

/// These two write CSRs that exist only in the RTL build with 24 counters that was measured; their
/// columns for traps are not comparable between builds.
bool comparable(const std::string& kernel, Column column) {
    constexpr ColumnMask kNotThere = columns({7, 13});
    const bool widened = kernel == "csrw_hpmevent" || kernel == "csrrw_hpmctr9";
    return !widened || (kNotThere & column_bit(column)) == 0;
}

std::vector<std::string> read_names(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) {
        throw UserError("cannot read list of kernels '" + file.string() + "'");
    }
    std::vector<std::string> names;
    for (std::string name; std::getline(in, name);) {
        names.push_back(name);
    }
    return names;
}

void compare_kernel(Comparison& comparison, const std::string& kernel) {
    const Repetitions& rtl = comparison.reference.kernels.at(kernel);
    const Repetitions& ours = comparison.ours.at(kernel);
    for (unsigned repetition = 0; repetition < kRepetitions; ++repetition) {
        for (Column column = 0; column < kColumns; ++column) {
            Deviation deviation{.reference = comparison.reference.name,
                                .kernel = kernel,
                                .repetition = repetition,
                                .column = column,
                                .rtl = value_of(rtl[repetition], column),
                                .ours = value_of(ours[repetition], column),
                                .known = {}};
            if (!comparison.measured(column) || !comparable(kernel, column) ||
                !is_outside(column, deviation.rtl, deviation.ours, temperature_of(repetition))) {
                continue;
            }
            const auto known = known_deviations();
            const auto entry =
                std::find_if(known.begin(), known.end(), [&](const KnownDeviation& candidate) {
                    return candidate.covers(deviation);
                });
            deviation.known = entry == known.end() ? std::string_view{} : entry->why;
            comparison.deviations.push_back(std::move(deviation));
        }
    }
}

} // namespace

std::string column_name(Column column) {
    if (column == kCycles) {
        return "cycles";
    }
    return column == kInstructions ? "instructions" : find_selector(kCva6Profile, column)->name;
}

std::uint64_t value_of(const Measurement& measurement, Column column) {
    if (column == kCycles) {
        return measurement.cycles;
    }
    return column == kInstructions ? measurement.instructions : measurement.events[column - 1];
}

double error_percent(std::uint64_t rtl, std::uint64_t ours) {
    const double difference = static_cast<double>(ours) - static_cast<double>(rtl);
    return 100 * difference / static_cast<double>(std::max<std::uint64_t>(rtl, 1));
}

bool is_outside(Column column, std::uint64_t rtl, std::uint64_t ours, Temperature temperature) {
    const double slack = temperature == Temperature::Cold ? 2 : 1;
    const double percent = std::abs(error_percent(rtl, ours));
    const double counts = std::abs(static_cast<double>(ours) - static_cast<double>(rtl));
    if (column == kCycles) {
        return percent > 2 * slack;
    }
    if ((kMisses & column_bit(column)) != 0) {
        return percent > 1 * slack && counts > 4 * slack;
    }
    if ((kLevels & column_bit(column)) != 0) {
        return percent > 5 * slack && counts > 4 * slack;
    }
    return ours != rtl;
}

bool KnownDeviation::covers(const Deviation& deviation) const {
    const bool cold = temperature_of(deviation.repetition) == Temperature::Cold;
    return (reference.empty() || reference == deviation.reference) &&
           std::find(kernels.begin(), kernels.end(), deviation.kernel) != kernels.end() &&
           (when == When::Always || (when == When::Cold) == cold) &&
           (columns & column_bit(deviation.column)) != 0;
}

CycleSummary Comparison::cycles(unsigned repetition) const {
    const double near = temperature_of(repetition) == Temperature::Cold ? 4 : 2;
    CycleSummary summary;
    for (const std::string& kernel : order) {
        const bool known =
            std::any_of(deviations.begin(), deviations.end(), [&](const Deviation& deviation) {
                return deviation.kernel == kernel && deviation.repetition == repetition &&
                       deviation.column == kCycles && !deviation.known.empty();
            });
        if (known) {
            ++summary.left_out;
            continue;
        }
        const double error = std::abs(error_percent(reference.kernels.at(kernel)[repetition].cycles,
                                                    ours.at(kernel)[repetition].cycles));
        ++summary.kernels;
        summary.mean += error;
        summary.worst = std::max(summary.worst, error);
        summary.within_two += error <= near ? 1 : 0;
    }
    summary.mean /= std::max(summary.kernels, 1U);
    return summary;
}

std::vector<Comparison> compare_all(const std::filesystem::path& kernels,
                                    const std::filesystem::path& sources) {
    std::vector<Comparison> all;
    const std::vector<std::string> names = read_names(sources / "kernels" / "names.txt");
    for (Reference& reference : read_references(sources / "reference")) {
        Comparison comparison{
            .reference = std::move(reference), .ours = {}, .order = names, .deviations = {}};
        for (const std::string& name : names) {
            if (!comparison.reference.kernels.contains(name)) {
                throw UserError("no reference counts of " + comparison.reference.name + " for '" +
                                name + "'");
            }
            KernelMachine machine(kernel_config(comparison.reference.settings));
            comparison.ours[name] = machine.run(kernels / (name + ".elf"));
            compare_kernel(comparison, name);
        }
        all.push_back(std::move(comparison));
    }
    return all;
}

} // namespace pes::fidelity
