// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/growth.h"

#include <algorithm>
#include <map>

namespace pes::bench {
namespace {

constexpr unsigned kEmptyGrowthRuns = 7; // of each round: short, so many

std::vector<std::string> command_of(const Settings& settings, const GrowthVariant& variant,
                                    const std::string& program) {
    std::vector<std::string> command =
        with(on_platform(settings, program, "auto"), variant.options);
    command[1] = variant.command;
    return command;
}

/// 0 is no bound.
std::uint64_t smaller_bound(std::uint64_t one, std::uint64_t other) {
    return one == kToTheEnd || other == kToTheEnd ? std::max(one, other) : std::min(one, other);
}

Contender contender_of(const Settings& settings, const GrowthVariant& variant,
                       std::uint64_t most_cycles) {
    Contender contender{command_of(settings, variant, variant.program)};
    const std::uint64_t cycles = smaller_bound(variant.cycles, most_cycles);
    if (cycles != kToTheEnd) {
        contender.command = with(contender.command, {"--max-cycles", std::to_string(cycles)});
        contender.exit_code = kCycleLimitExit;
    }
    return contender;
}

/// A series and what runs for it. Start-up depends on the options, so each set of them has its own
/// empty program.
struct SeriesContenders {
    SeriesContenders(const Settings& settings, const GrowthSeries& series,
                     std::uint64_t most_cycles)
        : series(series) {
        for (const GrowthVariant& variant : series.variants) {
            measured.push_back(contender_of(settings, variant, most_cycles));
            empty.emplace(variant.options, Contender{command_of(settings, variant, "empty")});
        }
    }

    void take_turn() {
        for (auto& [options, contender] : empty) {
            for (unsigned turn = 0; turn < kEmptyGrowthRuns; ++turn) {
                contender.take_turn();
            }
        }
        for (Contender& contender : measured) {
            contender.take_turn();
        }
    }

    GrowthTable table() const {
        GrowthTable table{series.name, series.neighbour, {}};
        for (std::size_t i = 0; i < measured.size(); ++i) {
            const GrowthVariant& variant = series.variants[i];
            const Counts counts = count(measured[i].command, measured[i].exit_code);
            table.rows.push_back({.variant = variant.name,
                                  .instructions = counts.instructions,
                                  .traps = counts.traps,
                                  .seconds = measured[i].net_seconds(empty.at(variant.options)),
                                  .speed_bar = variant.speed_bar});
        }
        return table;
    }

    GrowthSeries series;
    std::vector<Contender> measured;
    std::map<std::vector<std::string>, Contender> empty;
};

} // namespace

double GrowthTable::factor(std::size_t row) const {
    if (row == 0) {
        return 0;
    }
    const std::size_t beside = neighbour == Neighbour::First ? 0 : row - 1;
    return rows[row].nanoseconds() / rows[beside].nanoseconds();
}

std::uint64_t GrowthTable::traps(std::size_t row) const {
    return rows[row].traps - std::min(rows[row].traps, rows[0].traps);
}

double GrowthTable::nanoseconds_a_trap(std::size_t row) const {
    const double beyond = rows[row].nanoseconds() - rows[0].nanoseconds();
    return traps(row) < kFewTraps ? 0
                                  : beyond * static_cast<double>(rows[row].instructions) /
                                        static_cast<double>(traps(row));
}

GrowthResults measure_growth(const Settings& settings, const std::vector<GrowthSeries>& series,
                             std::uint64_t most_cycles) {
    std::vector<SeriesContenders> all;
    for (const GrowthSeries& one : series) {
        all.emplace_back(settings, one, most_cycles);
    }
    for (unsigned round = 0; round < settings.runs; ++round) {
        for (SeriesContenders& contenders : all) {
            contenders.take_turn();
        }
    }
    GrowthResults results{machine_description(), settings.runs, {}};
    for (const SeriesContenders& contenders : all) {
        results.tables.push_back(contenders.table());
    }
    return results;
}

} // namespace pes::bench
