// SPDX-License-Identifier: Apache-2.0
#include "decoder/compare/truth.h"

#include "platform/host/csv_columns.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace pes {
namespace {

constexpr const char* kCount = "count";
constexpr const char* kCycles = "cycles";

/// Twice a number, so that half cycles are whole.
using Halves = std::int64_t;

constexpr std::uint64_t kMost = std::uint64_t{1} << 60; ///< sums of halves do not overflow

std::optional<Halves> whole(std::string_view text) {
    const auto value = parse_digits(text);
    return value && *value < kMost ? std::optional(2 * static_cast<Halves>(*value)) : std::nullopt;
}

/// Whole cycles, or with ".5" behind them.
std::optional<Halves> cycles(std::string_view text) {
    constexpr std::string_view kHalf = ".5";
    const bool half = text.ends_with(kHalf);
    const auto value = whole(text.substr(0, text.size() - (half ? kHalf.size() : 0)));
    return value ? std::optional(*value + (half ? 1 : 0)) : std::nullopt;
}

/// Events of an address, which may be below zero; earlier files have -1 as 2^64 - 1.
std::optional<Halves> events(std::string_view text) {
    const bool has_sign = text.starts_with('-');
    const auto value = parse_digits(text.substr(has_sign ? 1 : 0));
    if (!value) {
        return std::nullopt;
    }
    const bool below_zero = has_sign || *value > ~kMost;
    const std::uint64_t size = *value > ~kMost && !has_sign ? 0 - *value : *value;
    if (size >= kMost) {
        return std::nullopt;
    }
    return (below_zero ? -2 : 2) * static_cast<Halves>(size);
}

std::optional<Halves> column_value(std::string_view name, std::string_view text) {
    if (name == kCount || name == "machine_count") {
        return whole(text);
    }
    return name == kCycles || name == "machine_cycles" ? cycles(text) : events(text);
}

std::optional<Address> address(std::string_view text) {
    return parse_digits(text.substr(text.starts_with("0x") ? 2 : 0), 16);
}

/// Of one line.
struct Row {
    Address pc = 0;
    Halves others = 0; ///< outside of machine mode
    Halves machine = 0;
};

/// The columns that are read; the others are for people and other tools.
class Columns {
  public:
    explicit Columns(std::string_view header)
        : columns_(header), pc_(find("pc")), privilege_(find("privilege")) {}

    /// False if this is not the header of a truth file.
    bool enough() const {
        return pc_ && find(kCount) &&
               find("machine_count").has_value() == find("machine_cycles").has_value();
    }
    bool tells_machine() const { return privilege_ || find("machine_count"); }
    std::size_t number() const { return columns_.size(); }

    /// From here on rows have this measure. False, and nothing changes, if a column is missing.
    bool select(const TruthMeasure& measure) {
        std::vector<std::size_t> selected;
        std::vector<std::size_t> of_machine;
        for (const std::string& name : measure.columns) {
            const auto column = find(name);
            if (!column) {
                return false;
            }
            selected.push_back(*column);
            if (const auto machine = find("machine_" + name)) {
                of_machine.push_back(*machine);
            }
        }
        selected_ = std::move(selected);
        machine_ = std::move(of_machine);
        return !selected_.empty();
    }

    /// Nothing if the line is not one of this table.
    std::optional<Row> parse(std::string_view line) const {
        const std::vector<std::string_view> fields = fields_of(line);
        if (fields.size() != columns_.size()) {
            return std::nullopt;
        }
        const auto pc = address(fields[*pc_]);
        const auto all = sum(fields, selected_);
        auto machine = sum(fields, machine_);
        if (!pc || !all || !machine) {
            return std::nullopt;
        }
        if (privilege_ && fields[*privilege_] == "M") {
            machine = all;
        }
        return Row{.pc = *pc, .others = *all - *machine, .machine = *machine};
    }

    std::optional<std::size_t> find(std::string_view name) const { return columns_.find(name); }

  private:
    std::optional<Halves> sum(const std::vector<std::string_view>& fields,
                              const std::vector<std::size_t>& columns) const {
        Halves total = 0;
        for (const std::size_t column : columns) {
            const auto value = column_value(columns_.name(column), fields[column]);
            if (!value) {
                return std::nullopt;
            }
            total += *value;
        }
        return total;
    }

    CsvColumns columns_;
    std::optional<std::size_t> pc_, privilege_;
    std::vector<std::size_t> selected_;
    std::vector<std::size_t> machine_; ///< columns with the part of machine mode, of older files
};

/// What rounding takes from one address, or what is below zero there, goes to a later one: the sum
/// is exact.
void add_whole(const std::map<Address, Halves>& halves, const std::vector<AddressTallies*>& to) {
    Halves carried = 0;
    for (const auto& [pc, count] : halves) {
        const Halves all = count + carried;
        carried = all < 0 ? all : all % 2;
        if (const auto events = static_cast<std::uint64_t>((all - carried) / 2); events != 0) {
            for (AddressTallies* const tallies : to) {
                (*tallies)[pc].add({events, events});
            }
        }
    }
}

std::string missing_columns(const Columns& columns, const TruthMeasure& wanted) {
    std::string names;
    for (const std::string& name : wanted.columns) {
        if (!columns.find(name)) {
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    return names.empty() ? "no pulse source counts the event" : "the truth has no column " + names;
}

} // namespace

std::optional<std::int64_t> truth_halves(std::string_view column, std::string_view text) {
    return column_value(column, text);
}

TruthMeasure retired_instructions() {
    return {"retired instructions", {kCount}};
}

TruthMeasure measure_of(const PmuProfile& pmu, const EventId& event) {
    if (event.kind == CounterKind::Instret) {
        return retired_instructions();
    }
    const EventMask sources = event.kind == CounterKind::Cycles ? event_bit(Event::Cycles)
                                                                : sources_of(pmu, event.selector);
    if (sources == event_bit(Event::Cycles)) {
        return {kCycles, {kCycles}};
    }
    if (sources == event_bit(Event::Instructions)) {
        return retired_instructions();
    }
    TruthMeasure measure{event_name(pmu, event) + " events", {}};
    sources.for_each([&measure](Event source) {
        measure.columns.emplace_back(source == Event::Cycles         ? kCycles
                                     : source == Event::Instructions ? kCount
                                                                     : to_string(source));
    });
    return measure;
}

Truth read_truth(std::istream& input, const std::string& path, const TruthMeasure& wanted) {
    std::string header;
    next_line(input, header);
    Columns columns(header);
    if (!columns.enough()) {
        throw UserError("'" + path +
                        "' is not a truth file, expected a header line with the "
                        "columns pc and count (pc,count,cycles...)");
    }
    Truth truth;
    if (columns.select(wanted)) {
        truth.measure = wanted;
    } else {
        columns.select(truth.measure);
        truth.why_retired = missing_columns(columns, wanted);
    }
    truth.tells_machine = columns.tells_machine();
    std::map<Address, Halves> machine;
    std::map<Address, Halves> others;
    std::string line;
    for (std::uint64_t number = 2; next_line(input, line); ++number) {
        const std::optional<Row> row = columns.parse(line);
        if (!row) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a hexadecimal pc and decimal numbers in " +
                            std::to_string(columns.number()) + " columns");
        }
        if (columns.find("machine_count") && row->others < 0) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": more in machine mode than in all, expected a part of it");
        }
        machine[row->pc] += row->machine;
        others[row->pc] += row->others;
    }
    add_whole(machine, {&truth.exact, &truth.machine});
    add_whole(others, {&truth.exact});
    if (input.bad()) {
        throw UserError("cannot read '" + path + "'");
    }
    return truth;
}

} // namespace pes
