// SPDX-License-Identifier: Apache-2.0
#include "decoder/compare/truth_facts.h"

#include "decoder/compare/truth.h"
#include "platform/host/csv_columns.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <map>

namespace pes {
namespace {

constexpr std::string_view kReasonPrefix = "cycles_";

/// Which column is what.
class Layout {
  public:
    Layout(const CsvColumns& columns, RunReport& report) {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const std::string& name = columns.name(column);
            if (name.starts_with(kReasonPrefix)) {
                reasons_.push_back(column);
                report.reasons.push_back(name.substr(kReasonPrefix.size()));
            } else if (!is_head(name)) {
                events_.push_back(column);
                report.events.push_back(name);
            }
        }
        pc_ = columns.find("pc");
        count_ = columns.find("count");
    }

    bool enough() const { return pc_ && count_ && !reasons_.empty(); }

    /// False if a field is no number.
    bool add(const CsvColumns& columns, const std::vector<std::string_view>& fields,
             std::map<Address, AddressFacts>& facts) const {
        const std::string_view pc = fields[*pc_];
        const auto address = parse_digits(pc.substr(pc.starts_with("0x") ? 2 : 0), 16);
        const auto count = truth_halves("count", fields[*count_]);
        if (!address || !count) {
            return false;
        }
        AddressFacts& here = facts[*address];
        here.pc = *address;
        here.retired += static_cast<std::uint64_t>(*count / 2);
        here.cycles.resize(reasons_.size());
        here.events.resize(events_.size());
        bool good = true;
        for (std::size_t index = 0; index < reasons_.size(); ++index) {
            const auto halves = truth_halves("cycles", fields[reasons_[index]]);
            good = good && halves;
            here.cycles[index] += static_cast<double>(halves.value_or(0)) / 2;
        }
        for (std::size_t index = 0; index < events_.size(); ++index) {
            const auto halves = truth_halves(columns.name(events_[index]), fields[events_[index]]);
            good = good && halves;
            here.events[index] += halves.value_or(0) / 2;
        }
        return good;
    }

  private:
    static bool is_head(std::string_view name) {
        return name == "hart" || name == "privilege" || name == "satp" || name == "pc" ||
               name == "count" || name == "cycles";
    }

    std::vector<std::size_t> reasons_;
    std::vector<std::size_t> events_;
    std::optional<std::size_t> pc_, count_;
};

/// The truth has a column for each pulse source.
void add_up_events(RunReport& report) {
    report.run.events = {{Event::Cycles, report.run.cycles},
                         {Event::Instructions, report.run.instructions}};
    for (std::size_t column = 0; column < report.events.size(); ++column) {
        const auto* const source = std::ranges::find_if(
            kPulseSources, [&name = report.events[column]](const PulseSource& candidate) {
                return name == candidate.name;
            });
        if (source == std::end(kPulseSources)) {
            continue; // of a later version
        }
        std::int64_t count = 0;
        for (const AddressFacts& facts : report.addresses) {
            count += facts.events[column];
        }
        report.run.events.emplace_back(static_cast<Event>(source - std::begin(kPulseSources)),
                                       static_cast<std::uint64_t>(count));
    }
}

void add_up(RunReport& report) {
    std::vector<double> cycles(report.reasons.size());
    double all = 0;
    const auto base = static_cast<std::size_t>(std::ranges::find(report.reasons, "base") -
                                               report.reasons.begin());
    for (const AddressFacts& facts : report.addresses) {
        report.run.instructions += facts.retired;
        if (base < cycles.size()) {
            report.run.frontend_waits +=
                std::max(0.0, facts.cycles[base] - static_cast<double>(facts.retired));
        }
        for (std::size_t reason = 0; reason < cycles.size(); ++reason) {
            cycles[reason] += facts.cycles[reason];
            all += facts.cycles[reason];
        }
    }
    report.run.cycles = static_cast<std::uint64_t>(all);
    add_up_events(report);
    for (std::size_t reason = 0; reason < cycles.size(); ++reason) {
        if (cycles[reason] != 0) {
            report.run.reasons.emplace_back(report.reasons[reason], cycles[reason]);
        }
    }
    std::ranges::stable_sort(report.run.reasons, std::ranges::greater{},
                             &std::pair<std::string, double>::second);
}

} // namespace

void read_truth_facts(std::istream& input, const std::string& path, RunReport& report) {
    std::string line;
    next_line(input, line);
    const CsvColumns columns(line);
    const Layout layout(columns, report);
    if (!layout.enough()) {
        throw UserError("'" + path +
                        "' is not a truth file with reasons, expected a header line with the "
                        "columns pc, count and cycles_...");
    }
    std::map<Address, AddressFacts> facts;
    for (std::uint64_t number = 2; next_line(input, line); ++number) {
        const std::vector<std::string_view> fields = fields_of(line);
        if (fields.size() != columns.size() || !layout.add(columns, fields, facts)) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a hexadecimal pc and decimal numbers in " +
                            std::to_string(columns.size()) + " columns");
        }
    }
    for (auto& [pc, here] : facts) {
        report.addresses.push_back(std::move(here));
    }
    add_up(report);
}

} // namespace pes
