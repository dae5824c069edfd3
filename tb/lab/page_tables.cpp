// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/page_tables.h"

#include "platform/host/numbers.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <set>

namespace pes::lab {
namespace {

constexpr double kPercent = 100;
constexpr std::string_view kCycle = "cycle";

/// B. Gottschall, L. Eeckhout, M. Jahre, MICRO 2021: averages by instruction, in percent.
struct Published {
    std::string_view method;
    const char* name;
    const char* error;
};
constexpr std::array kPublished{
    Published{"threshold", "interrupt and software", "61.8"},
    Published{"lcofi", "interrupt and software", "61.8"},
    Published{"tag-at-dispatch", "tag at dispatch (IBS, SPE)", "53.1"},
    Published{"last-committed", "last-committed", "55.4"},
    Published{"next-committed", "next-committed (PEBS)", "9.3"},
    Published{"exact", "TIP", "1.6"},
};

std::string percent(double part) {
    return fmt::format("{:.1f}", kPercent * part);
}

std::string row(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
        text += " " + cell + " |";
    }
    return text + "\n";
}

std::string head(const std::vector<std::string>& cells) {
    std::string text = row(cells) + "| --- |";
    for (std::size_t i = 1; i < cells.size(); ++i) {
        text += " ---: |";
    }
    return text + "\n";
}

class PageWriter {
  public:
    explicit PageWriter(const Results& results)
        : results_(results), rate_(usual_rate(results.points)) {}

    std::string write() {
        programs();
        published();
        for (const GroupBy by : kGroupings) {
            errors(by, "Profile error", &ErrorFigures::profile, true);
        }
        errors(GroupBy::Instruction, "Systematic error", &ErrorFigures::systematic, false);
        rates();
        costs();
        skids();
        while (text_.ends_with("\n")) {
            text_.pop_back();
        }
        return text_ + "\n";
    }

  private:
    using Figure = double ErrorFigures::*;

    void heading(const std::string& words) { text_ += "### " + words + "\n\n"; }

    std::vector<const PointRow*> rows_of(std::string_view method, std::string_view event,
                                         std::size_t rate) const {
        std::vector<const PointRow*> rows;
        for (const PointRow& row : results_.points) {
            if (row.result.method == method && row.result.event == event && row.wanted == rate) {
                rows.push_back(&row);
            }
        }
        return rows;
    }

    static std::string mean(const std::vector<const PointRow*>& rows, GroupBy by, Figure figure) {
        double sum = 0;
        std::size_t count = 0;
        for (const PointRow* row : rows) {
            if (const auto value = error_of(*row, by, figure)) {
                sum += *value;
                ++count;
            }
        }
        return count == 0 ? "-" : percent(sum / static_cast<double>(count));
    }

    static std::string most(const std::vector<const PointRow*>& rows, GroupBy by) {
        double most = 0;
        for (const PointRow* row : rows) {
            most = std::max(most, error_of(*row, by, &ErrorFigures::profile).value_or(0));
        }
        return percent(most);
    }

    void programs() {
        heading("Programs");
        std::vector<std::string> names{"Program", "cycles", "instructions"};
        for (const std::string& event : results_.events) {
            if (event != kCycle) {
                names.push_back(event);
            }
        }
        text_ += head(names);
        for (const RunResult& run : results_.runs) {
            std::vector<std::string> cells{fmt::format("`{}`", run.program), grouped(run.cycles),
                                           grouped(run.instructions)};
            for (const std::string& event : results_.events) {
                const auto found = run.events.find(event);
                if (event != kCycle) {
                    cells.push_back(found == run.events.end() ? "-" : grouped(found->second));
                }
            }
            text_ += row(cells);
        }
        text_ += "\n";
    }

    void published() {
        heading("Cycles by address, beside published averages");
        text_ += head({"Method", "mean", "largest", "systematic", "statistical", "published",
                       "of an out-of-order core"});
        for (const std::string& method : results_.methods) {
            const auto rows = rows_of(method, kCycle, rate_);
            const auto* const found = std::ranges::find(kPublished, method, &Published::method);
            const bool known = found != kPublished.end();
            constexpr GroupBy kBy = GroupBy::Instruction;
            text_ += row({fmt::format("`{}`", method), mean(rows, kBy, &ErrorFigures::profile),
                          most(rows, kBy), mean(rows, kBy, &ErrorFigures::systematic),
                          mean(rows, kBy, &ErrorFigures::statistical), known ? found->error : "-",
                          known ? found->name : "-"});
        }
        text_ += "\n";
    }

    void errors(GroupBy by, const char* what, Figure figure, bool with_chance) {
        heading(fmt::format("{} by {}", what, to_string(by)));
        std::vector<std::string> names{"Method"};
        names.insert(names.end(), results_.events.begin(), results_.events.end());
        text_ += head(names);
        for (const std::string& method : results_.methods) {
            std::vector<std::string> cells{fmt::format("`{}`", method)};
            for (const std::string& event : results_.events) {
                cells.push_back(mean(rows_of(method, event, rate_), by, figure));
            }
            text_ += row(cells);
        }
        if (with_chance && !results_.methods.empty()) {
            std::vector<std::string> cells{"statistical error"};
            for (const std::string& event : results_.events) {
                cells.push_back(mean(rows_of(results_.methods.front(), event, rate_), by,
                                     &ErrorFigures::statistical));
            }
            text_ += row(cells);
        }
        text_ += row_of_programs() + "\n";
    }

    /// Over how many programs each column is the mean.
    std::string row_of_programs() const {
        std::vector<std::string> cells{"programs"};
        for (const std::string& event : results_.events) {
            std::set<std::string> programs;
            for (const PointRow& row : results_.points) {
                if (row.result.event == event && row.wanted == rate_) {
                    programs.insert(row.program);
                }
            }
            cells.push_back(std::to_string(programs.size()));
        }
        return row(cells);
    }

    void rates() {
        std::set<std::size_t> rates;
        for (const PointRow& row : results_.points) {
            if (row.result.event == kCycle) {
                rates.insert(row.wanted);
            }
        }
        if (rates.size() < 2) {
            return;
        }
        heading("Cycles, by the number of samples");
        std::vector<std::string> names{"Method"};
        for (const GroupBy by : {GroupBy::Function, GroupBy::Instruction}) {
            for (const std::size_t rate : rates) {
                names.push_back(fmt::format("{}, {}", to_string(by), grouped(rate)));
            }
        }
        text_ += head(names);
        for (const std::string& method : results_.methods) {
            std::vector<std::string> cells{fmt::format("`{}`", method)};
            for (const GroupBy by : {GroupBy::Function, GroupBy::Instruction}) {
                for (const std::size_t rate : rates) {
                    cells.push_back(
                        mean(rows_of(method, kCycle, rate), by, &ErrorFigures::profile));
                }
            }
            text_ += row(cells);
        }
        text_ += "\n";
    }

    void costs() {
        if (results_.costs.empty()) {
            return;
        }
        heading("Cost of a sample");
        text_ += head({"Delivery", "cycles", "samples", "lost"});
        for (const CostResult& cost : results_.costs) {
            text_ += row({fmt::format("`{}`", cost.delivery),
                          fmt::format("{:.0f}", cost.cycles_per_sample()), grouped(cost.samples),
                          grouped(cost.lost)});
        }
        text_ += "\n";
    }

    /// The lowest distance that at least this part of all do not exceed.
    static std::string percentile(const SkidResult::Histogram& histogram, double part) {
        double all = 0;
        for (const auto& [distance, samples] : histogram) {
            all += static_cast<double>(samples);
        }
        double below = 0;
        for (const auto& [distance, samples] : histogram) {
            below += static_cast<double>(samples);
            if (below >= part * all) {
                return std::to_string(distance);
            }
        }
        return "-";
    }

    void skids() {
        if (results_.skids.empty()) {
            return;
        }
        heading("Skid of threshold interrupts");
        text_ += head({"Program and event", "samples", "instructions, median", "90 %",
                       "cycles, median", "90 %", "at the cause, %", "other line, %",
                       "other block, %", "other function, %"});
        for (const SkidResult& skid : results_.skids) {
            const auto part = [&skid](std::uint64_t count) {
                return skid.located == 0 ? std::string("-")
                                         : percent(static_cast<double>(count) /
                                                   static_cast<double>(skid.located));
            };
            text_ += row({fmt::format("`{}`, {}", skid.name, skid.event), grouped(skid.delivered),
                          percentile(skid.instructions, 0.5), percentile(skid.instructions, 0.9),
                          percentile(skid.cycles, 0.5), percentile(skid.cycles, 0.9),
                          part(skid.at_cause), part(skid.wrong_line), part(skid.wrong_block),
                          part(skid.wrong_function)});
        }
        text_ += "\n";
    }

    const Results& results_;
    std::size_t rate_;
    std::string text_;
};

} // namespace

std::string page_tables(const Results& results) {
    return PageWriter(results).write();
}

} // namespace pes::lab
