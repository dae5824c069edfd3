// SPDX-License-Identifier: Apache-2.0
// Numbers that are mostly zero are written as pairs of index and value.
#include "platform/host/numbers.h"
#include "platform/profile/metrics.h"
#include "platform/program/code_listing.h"
#include "platform/report/page_costs.h"
#include "platform/report/run_report.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace pes {
namespace {

using Json = nlohmann::ordered_json;

/// Code is listed of the functions with most cycles or samples; a kernel has thousands.
constexpr std::size_t kMostListed = 250;

struct Totals {
    std::uint64_t samples = 0;
    std::uint64_t retired = 0;
    std::vector<double> cycles;
    std::vector<std::int64_t> events;

    template <typename Number>
    static void add(std::vector<Number>& sum, const std::vector<Number>& more) {
        sum.resize(std::max(sum.size(), more.size()));
        for (std::size_t index = 0; index < more.size(); ++index) {
            sum[index] += more[index];
        }
    }
    void add(const AddressFacts& facts) {
        retired += facts.retired;
        add(cycles, facts.cycles);
        add(events, facts.events);
    }
    double all_cycles() const {
        double sum = 0;
        for (const double count : cycles) {
            sum += count;
        }
        return sum;
    }
};

template <typename Number>
Json sparse(const std::vector<Number>& values) {
    Json pairs = Json::array();
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (values[index] != Number{}) {
            pairs.push_back(index);
            pairs.push_back(values[index]);
        }
    }
    return pairs;
}

/// The functions of the page, and where each address is in them.
class Functions {
  public:
    Functions(const RunReport& report, const Symbolizer& symbolizer) : symbolizer_(symbolizer) {
        for (const AddressFacts& facts : report.addresses) {
            Totals& here = addresses_[facts.pc];
            here.add(facts);
            entry_of(facts.pc).totals.add(facts);
        }
        for (const SampleRecord& record : report.samples) {
            ++addresses_[record.pc].samples;
            ++entry_of(record.pc).totals.samples;
        }
        rank();
    }

    Json json() {
        Json list = Json::array();
        for (std::size_t index = 0; index < order_.size(); ++index) {
            list.push_back(json_of(*order_[index], index < kMostListed));
        }
        return list;
    }
    const Json& lines() const { return lines_; }
    const Json& files() const { return files_; }

    /// After json(): the numbers of function and instruction; -1 for one that is not listed.
    std::pair<std::size_t, std::int64_t> place_of(Address pc) {
        const auto row = rows_.find(pc);
        return {entry_of(pc).number, row == rows_.end() ? -1 : row->second};
    }

  private:
    struct Entry {
        Location location;
        Totals totals;
        std::size_t number = 0;
    };

    Entry& entry_of(Address pc) {
        const Location location = symbolizer_.find(pc);
        Entry& entry = entries_[location.function];
        if (entry.location.function == nullptr) {
            entry.location = location;
        }
        return entry;
    }

    void rank() {
        for (auto& [function, entry] : entries_) {
            order_.push_back(&entry);
        }
        std::ranges::sort(order_, [](const Entry* left, const Entry* right) {
            const auto key = [](const Entry& entry) {
                const Function* const function = entry.location.function;
                return std::tuple(-entry.totals.all_cycles(), ~entry.totals.samples,
                                  function == nullptr ? 0 : function->begin);
            };
            return key(*left) < key(*right);
        });
        for (std::size_t index = 0; index < order_.size(); ++index) {
            order_[index]->number = index;
        }
    }

    Json json_of(const Entry& entry, bool listed) {
        const Function* const function = entry.location.function;
        Json object{{"name", function == nullptr ? "(outside of symbols)" : function->name},
                    {"samples", entry.totals.samples},
                    {"retired", entry.totals.retired},
                    {"cycles", sparse(entry.totals.cycles)},
                    {"events", sparse(entry.totals.events)}};
        if (function == nullptr) {
            return object;
        }
        const ElfProgram& program = *entry.location.program;
        const SourceLine source = program.find_line(function->begin);
        object["program"] = program.path();
        object["begin"] = hex(function->begin);
        object["line"] = source.line == 0 ? -1 : line_number(program, source);
        if (listed) {
            object["code"] = code_of(program, *function);
        }
        return object;
    }

    /// [pc, text, line, target, samples, retired, cycles, events] of each instruction.
    Json code_of(const ElfProgram& program, const Function& function) {
        Json code = Json::array();
        for (const ListedInstruction& row : listing_of(program).of(function)) {
            const Totals& totals = addresses_[row.pc];
            rows_[row.pc] = static_cast<std::int64_t>(code.size());
            const bool inside =
                row.target && *row.target >= function.begin && *row.target < function.end;
            code.push_back({hex(row.pc), row.text,
                            row.source.line == 0 ? -1 : line_number(program, row.source),
                            inside ? Json(hex(*row.target)) : Json(nullptr), totals.samples,
                            totals.retired, sparse(totals.cycles), sparse(totals.events)});
        }
        return code;
    }

    CodeListing& listing_of(const ElfProgram& program) {
        std::unique_ptr<CodeListing>& listing = listings_[&program];
        if (!listing) {
            listing = std::make_unique<CodeListing>(program, symbolizer_.source_path());
        }
        return *listing;
    }

    /// Of [file, number, text] in lines_.
    std::int64_t line_number(const ElfProgram& program, const SourceLine& line) {
        const auto [known, added] =
            line_numbers_.try_emplace({line.file, line.line}, line_numbers_.size());
        if (added) {
            const auto [file, new_file] =
                file_numbers_.try_emplace(line.file, file_numbers_.size());
            if (new_file) {
                files_.push_back(line.file);
            }
            lines_.push_back(
                {file->second, line.line, std::string(listing_of(program).source(line))});
        }
        return static_cast<std::int64_t>(known->second);
    }

    const Symbolizer& symbolizer_;
    std::map<const Function*, Entry> entries_;
    std::vector<Entry*> order_;
    std::map<Address, Totals> addresses_;
    std::map<Address, std::int64_t> rows_;
    std::map<const ElfProgram*, std::unique_ptr<CodeListing>> listings_;
    std::map<std::pair<std::string, unsigned>, std::size_t> line_numbers_;
    std::map<std::string, std::size_t> file_numbers_;
    Json lines_ = Json::array();
    Json files_ = Json::array();
};

/// [cycle, function, instruction, mode, hart] of each sample, one after the other.
Json samples_of(const RunReport& report, Functions& functions) {
    Json list = Json::array();
    for (const SampleRecord& record : report.samples) {
        const auto [function, row] = functions.place_of(record.pc);
        for (const std::int64_t value :
             {static_cast<std::int64_t>(record.cycle), static_cast<std::int64_t>(function), row,
              std::int64_t{record.privilege}, static_cast<std::int64_t>(record.hart)}) {
            list.push_back(value);
        }
    }
    return list;
}

/// [pc, text, detail, flushed, end, stage, first cycle, stage, ...]; cycles relative to `from`.
Json row_of(const PipelineView::Row& row, std::uint64_t from) {
    const auto relative = [from](std::uint64_t cycle) {
        return static_cast<std::int64_t>(cycle - from);
    };
    Json list{hex(row.pc), row.text, row.detail, row.flushed ? 1 : 0, relative(row.end)};
    for (const auto& [cycle, name] : row.stages) {
        list.push_back(name);
        list.push_back(relative(cycle));
    }
    return list;
}

Json pipelines_of(const RunReport& report, Functions& functions) {
    Json list = Json::array();
    for (const PipelineView& view : report.pipelines) {
        const auto [function, row] = functions.place_of(view.rows[view.sampled].pc);
        Json rows = Json::array();
        for (const PipelineView::Row& one : view.rows) {
            rows.push_back(row_of(one, view.from));
        }
        list.push_back({{"hart", view.hart},
                        {"cycle", view.trigger},
                        {"function", function},
                        {"instruction", row},
                        {"from", view.from},
                        {"to", view.to},
                        {"sampled", view.sampled},
                        {"rows", rows}});
    }
    return list;
}

Json timelines_of(const RunReport& report) {
    Json list = Json::array();
    for (const Timeline& timeline : report.timelines) {
        list.push_back({{"from", timeline.from},
                        {"interval", timeline.interval},
                        {"counts", timeline.counts}});
    }
    return list;
}

/// The calls as names of functions, the same name and the same stack of names once for all.
Json stacks_of(const RunReport& report, const Symbolizer& symbolizer) {
    Json names = Json::array();
    Json stacks = Json::array();
    std::map<std::string, std::size_t> known;
    std::map<Json, std::size_t> known_stacks;
    std::vector<std::size_t> numbers;
    for (std::size_t index = 0; report.calls.any() && index < report.calls.stacks().size();
         ++index) {
        Json calls = Json::array();
        for (const Address pc : report.calls.stacks()[index]) {
            const Function* const function = symbolizer.find(pc).function;
            const std::string name = function == nullptr ? hex(pc) : function->name;
            const auto [entry, added] = known.try_emplace(name, known.size());
            if (added) {
                names.push_back(name);
            }
            calls.push_back(entry->second);
        }
        const auto [entry, added] = known_stacks.try_emplace(calls, stacks.size());
        if (added) {
            stacks.push_back(calls);
        }
        numbers.push_back(entry->second);
    }
    Json of_samples = Json::array();
    for (const std::size_t stack : report.calls.of_samples()) {
        if (report.calls.any()) {
            of_samples.push_back(numbers[stack]);
        }
    }
    return {{"names", names}, {"stacks", stacks}, {"of_samples", of_samples}};
}

/// [hart, depth, name, begin, end] of each slice, one after the other.
Json traced_of(const FunctionTimeline& timeline) {
    Json slices = Json::array();
    for (const FunctionSlice& slice : timeline.slices) {
        for (const std::uint64_t value : {std::uint64_t{slice.hart}, std::uint64_t{slice.depth},
                                          std::uint64_t{slice.name}, slice.begin, slice.end}) {
            slices.push_back(value);
        }
    }
    return {{"names", timeline.names}, {"slices", slices}, {"dropped", timeline.dropped}};
}

Json skids_of(const RunReport& report) {
    Json list = Json::array();
    for (const auto& [skid, samples] : report.skids) {
        list.push_back({skid, samples});
    }
    return list;
}

Json errors_of(const RunReport& report) {
    Json list = Json::array();
    for (const auto& [by, error] : report.errors) {
        list.push_back({{"by", by},
                        {"error", error.error},
                        {"chance", error.statistical},
                        {"chance_95", error.statistical_95}});
    }
    return list;
}

/// [name, value, meaning] of each.
Json metrics_json(const std::vector<MetricValue>& values) {
    Json list = Json::array();
    for (const auto& [metric, value] : values) {
        if (metric->part == nullptr) {
            list.push_back({metric->name, metric_text(metric->unit, value), metric->meaning});
        }
    }
    return list;
}

Json classes_json(const std::vector<TopDownClass>& classes) {
    Json list = Json::array();
    for (const TopDownClass& one : classes) {
        list.push_back(
            {{"name", one.name}, {"share", one.share}, {"parts", classes_json(one.parts)}});
    }
    return list;
}

/// [name, file, cycles before, cycles now] of each.
Json compared_json(const std::vector<ComparedRow>& rows) {
    Json list = Json::array();
    for (const ComparedRow& row : rows) {
        list.push_back({row.name, row.file, row.before, row.now});
    }
    return list;
}

/// `before`: of read_baseline(). Of the run before, what the page shows beside that of this one.
Json baseline_json(const Json& before, const Json& data) {
    const RunComparison comparison = compare_runs(costs_of_page(before), costs_of_page(data));
    Json baseline = Json::object();
    for (const char* key : {"title", "command", "cycles", "instructions", "stack"}) {
        baseline[key] = before[key];
    }
    baseline["speed"] = speed_text(comparison.before.cycles, comparison.now.cycles);
    baseline["functions"] = compared_json(comparison.functions);
    baseline["lines"] = compared_json(comparison.lines);
    return baseline;
}

} // namespace

void SampleCalls::add(const std::vector<Address>& calls, Address pc) {
    any_ = any_ || !calls.empty();
    StackTable::Stack stack(calls.rbegin(), calls.rend());
    stack.push_back(pc);
    of_samples_.push_back(stacks_.number_of(std::move(stack)));
}

std::string report_data(const RunReport& report, const Symbolizer& symbolizer) {
    Functions functions(report, symbolizer);
    const std::vector<MetricValue> metrics = metrics_of(report.run);
    Json stack = Json::object();
    for (const auto& [reason, cycles] : report.run.reasons) {
        stack[reason] = cycles;
    }
    Json data{{"title", report.title},
              {"command", report.command},
              {"settings", report.settings},
              {"clock_hz", report.clock_hz},
              {"cycles", report.run.cycles},
              {"instructions", report.run.instructions},
              {"stack", stack},
              {"top_down", classes_json(top_down(metrics))},
              {"metrics", metrics_json(metrics)},
              {"sampling", report.sampling},
              {"event", report.event},
              {"period", report.period},
              {"reasons", report.reasons},
              {"events", report.events},
              {"functions", functions.json()},
              {"lines", functions.lines()},
              {"files", functions.files()},
              {"timeline_events", report.timeline_events},
              {"timelines", timelines_of(report)},
              {"samples", samples_of(report, functions)},
              {"pipelines", pipelines_of(report, functions)},
              {"calls", stacks_of(report, symbolizer)},
              {"traced", traced_of(report.traced)},
              {"skids", skids_of(report)},
              {"errors", errors_of(report)}};
    if (!report.baseline.empty()) {
        data["baseline"] = baseline_json(Json::parse(report.baseline), data);
    }
    return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RunComparison compare_with_baseline(const RunReport& report, const Symbolizer& symbolizer) {
    Functions functions(report, symbolizer);
    Json data{{"title", report.title},
              {"command", report.command},
              {"cycles", report.run.cycles},
              {"instructions", report.run.instructions},
              {"functions", functions.json()}};
    data["lines"] = functions.lines();
    data["files"] = functions.files();
    return compare_runs(costs_of_page(Json::parse(report.baseline)), costs_of_page(data));
}

} // namespace pes
