// SPDX-License-Identifier: Apache-2.0
#include "decoder/truth.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace pes {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) {
            return fields;
        }
        line.remove_prefix(comma + 1);
    }
}

/// Whole cycles, or with ".5" behind them: in halves.
std::optional<std::uint64_t> half_cycles(std::string_view text) {
    constexpr std::string_view kHalf = ".5";
    const bool half = text.ends_with(kHalf);
    const auto whole = parse_digits(text.substr(0, text.size() - (half ? kHalf.size() : 0)));
    return whole ? std::optional(2 * *whole + (half ? 1 : 0)) : std::nullopt;
}

std::optional<std::uint64_t> address(std::string_view text) {
    return parse_digits(text.substr(text.starts_with("0x") ? 2 : 0), 16);
}

/// The columns that are read; the others are for people and other tools.
class Columns {
  public:
    explicit Columns(const std::vector<std::string_view>& names)
        : number_(names.size()), pc(find(names, "pc")), count(find(names, "count")),
          cycles(find(names, "cycles")), privilege(find(names, "privilege")),
          machine_count(find(names, "machine_count")),
          machine_cycles(find(names, "machine_cycles")) {}

    bool enough() const {
        return pc && count && machine_count.has_value() == machine_cycles.has_value();
    }
    std::size_t number() const { return number_; }

  private:
    static std::optional<std::size_t> find(const std::vector<std::string_view>& names,
                                           std::string_view name) {
        const auto found = std::ranges::find(names, name);
        return found == names.end() ? std::nullopt
                                    : std::optional<std::size_t>(found - names.begin());
    }

    std::size_t number_;

  public:
    const std::optional<std::size_t> pc, count, cycles, privilege, machine_count, machine_cycles;
};

/// Of one line; cycles in halves.
struct Row {
    Address pc = 0;
    std::uint64_t count = 0, cycles = 0, machine_count = 0, machine_cycles = 0;
};

std::optional<Row> parse_line(std::string_view line, const Columns& columns) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != columns.number()) {
        return std::nullopt;
    }
    bool good = true;
    const auto number = [&](const std::optional<std::size_t>& column, auto parse) {
        const auto value = column ? parse(fields[*column]) : std::optional<std::uint64_t>(0);
        good = good && value.has_value();
        return value.value_or(0);
    };
    const auto decimal = [](std::string_view text) { return parse_digits(text); };
    Row row{.pc = number(columns.pc, address),
            .count = number(columns.count, decimal),
            .cycles = number(columns.cycles, half_cycles),
            .machine_count = number(columns.machine_count, decimal),
            .machine_cycles = number(columns.machine_cycles, half_cycles)};
    if (columns.privilege && fields[*columns.privilege] == "M") {
        row.machine_count = row.count;
        row.machine_cycles = row.cycles;
    }
    return good ? std::optional(row) : std::nullopt;
}

void add(AddressTallies& tallies, Address pc, std::uint64_t count) {
    if (count != 0) {
        tallies[pc].add({count, count});
    }
}

/// By address, in halves. What rounding takes from one address goes to a later one: the sum is
/// exact.
using Halves = std::map<Address, std::uint64_t>;

void add_whole(const Halves& halves, const std::vector<AddressTallies*>& to) {
    std::uint64_t carried = 0;
    for (const auto& [pc, count] : halves) {
        for (AddressTallies* const tallies : to) {
            add(*tallies, pc, (count + carried) / 2);
        }
        carried = (count + carried) % 2;
    }
}

} // namespace

std::string_view to_string(TruthMeasure measure) {
    return measure == TruthMeasure::Cycles ? "cycles" : "retired instructions";
}

TruthMeasure Truth::measure_for(const EventId& event) const {
    return event.kind == CounterKind::Cycles && has_cycles ? TruthMeasure::Cycles
                                                           : TruthMeasure::Retired;
}

const AddressTallies& Truth::of(TruthMeasure measure) const {
    return measure == TruthMeasure::Cycles ? cycles : retired;
}

Truth read_truth(std::istream& input, const std::string& path) {
    std::string header;
    std::getline(input, header);
    if (header.ends_with('\r')) {
        header.pop_back();
    }
    const Columns columns(fields_of(header));
    if (!columns.enough()) {
        throw UserError("'" + path +
                        "' is not a truth file, expected a header line with the "
                        "columns pc and count (pc,count,cycles...)");
    }
    Truth truth;
    truth.has_cycles = columns.cycles.has_value();
    truth.tells_machine = columns.privilege || columns.machine_count;
    Halves machine;
    Halves others;
    std::string line;
    for (std::uint64_t number = 2; std::getline(input, line); ++number) {
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        const std::optional<Row> row = parse_line(line, columns);
        if (!row) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a hexadecimal pc and decimal numbers in " +
                            std::to_string(columns.number()) + " columns");
        }
        if (row->machine_count > row->count || row->machine_cycles > row->cycles) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": more in machine mode than in all, expected a part of it");
        }
        add(truth.retired, row->pc, row->count);
        add(truth.machine_retired, row->pc, row->machine_count);
        machine[row->pc] += row->machine_cycles;
        others[row->pc] += row->cycles - row->machine_cycles;
    }
    add_whole(machine, {&truth.cycles, &truth.machine_cycles});
    add_whole(others, {&truth.cycles});
    if (input.bad()) {
        throw UserError("cannot read '" + path + "'");
    }
    return truth;
}

} // namespace pes
