// SPDX-License-Identifier: Apache-2.0
// Callgrind's profile format, version 1, for KCachegrind and callgrind_annotate: the sampled events
// of each instruction and, from the exact profile, its cycles and how often it retired. A call on
// the stack of a sample becomes a call with the events of what it called; how often functions were
// called is not known, so the number of calls is that of the samples in them.
#include "decoder/export/formats.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <spdlog/fmt/fmt.h>
#include <tuple>

namespace pes {
namespace {

using Costs = std::vector<std::uint64_t>;

void add(Costs& costs, std::size_t column, std::size_t columns, std::uint64_t cost) {
    costs.resize(columns);
    costs[column] = saturating_sum(costs[column], cost);
}

/// Names have letters, digits and underscores; the prefix tells "sampled_cycle" from "Cycles".
std::string event_column(const std::string& name) {
    std::string column = "sampled_" + name;
    std::replace_if(
        column.begin(), column.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    return column;
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

class Callgrind {
  public:
    explicit Callgrind(ExportData& data) : data_(data) {
        for (const ExportedEvent& event : data.events()) {
            columns_.push_back({event_column(event.name), event.title + " (sampled)"});
        }
        if (data.has_truth()) {
            columns_.push_back({"Cycles", "Cycles (exact)"});
            columns_.push_back({"Instructions", "Retired instructions (exact)"});
        }
    }

    void write(OutputFile& file) {
        collect_samples();
        if (data_.has_truth()) {
            const TruthMeasure cycles = measure_of(data_.pmu(), {CounterKind::Cycles, 0});
            collect_exact(cycles, columns_.size() - 2);
            collect_exact(retired_instructions(), columns_.size() - 1);
        }
        write_head(file);
        write_functions(file);
    }

  private:
    struct Column {
        std::string name;
        std::string title;
    };
    struct Call {
        std::size_t from, to; ///< places: the call instruction, and where in the callee
        // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 mistakes the defaulted operator
        auto operator<=>(const Call&) const = default;
    };
    struct CallCosts {
        std::uint64_t samples = 0;
        Costs costs;
    };

    /// Functions have the same file whatever line their instructions are of: `fl` of its beginning.
    std::size_t function_of(std::size_t place) {
        return data_.function_at(data_.place(place).address);
    }

    void collect_samples() {
        totals_.resize(columns_.size());
        for (const ExportedSample& sample : data_.samples()) {
            const ExportedStack& stack = data_.stacks()[sample.stack];
            add(own_[stack.front()], sample.event, columns_.size(), sample.weight);
            add(totals_, sample.event, columns_.size(), sample.weight);
            collect_calls(sample, stack);
        }
    }

    /// A call that recursion has on the stack twice costs what it costs once.
    void collect_calls(const ExportedSample& sample, const ExportedStack& stack) {
        std::set<Call> seen;
        for (std::size_t depth = 1; depth < stack.size(); ++depth) {
            const Call call{stack[depth], callee(stack[depth - 1])};
            if (seen.insert(call).second) {
                CallCosts& costs = calls_[call];
                ++costs.samples;
                add(costs.costs, sample.event, columns_.size(), sample.weight);
            }
        }
    }

    /// All instructions of a function stand for it; outside of symbols, one for all.
    std::size_t callee(std::size_t place) {
        return representatives_.try_emplace(function_of(place), place).first->second;
    }

    void collect_exact(const TruthMeasure& measure, std::size_t column) {
        for (const auto& [pc, count] : data_.exact(measure)) {
            add(own_[data_.place_at(pc)], column, columns_.size(), count);
            add(totals_, column, columns_.size(), count);
        }
    }

    void write_head(OutputFile& file) const {
        std::string names;
        file.write("# callgrind format\nversion: 1\ncreator: pes-decode " PES_VERSION "\n");
        std::string command;
        for (const ElfProgram& program : data_.programs()) {
            command += (command.empty() ? "" : " ") + program.path();
        }
        file.write(fmt::format("cmd: {}\npositions: instr line\n", one_line(command)));
        for (const Column& column : columns_) {
            names += ' ' + column.name;
            file.write(fmt::format("event: {} : {}\n", column.name, column.title));
        }
        file.write(fmt::format("events:{}\nsummary: {}\n", names, fmt::join(totals_, " ")));
    }

    void write_functions(OutputFile& file) {
        std::map<std::size_t, std::set<std::size_t>> places; // of each function
        for (const auto& [place, costs] : own_) {
            places[function_of(place)].insert(place);
        }
        std::map<std::size_t, std::vector<Call>> calls; // likewise
        for (const auto& [call, costs] : calls_) {
            calls[function_of(call.from)].push_back(call);
            places[function_of(call.from)];
        }
        for (const auto& [function, instructions] : places) {
            const RowPlace& row = data_.functions()[function];
            file.write(fmt::format("\nob={}\nfl={}\nfn={}\n", object_name(row), file_name(row),
                                   one_line(function_name(row))));
            std::string current = file_name(row);
            for (const std::size_t place : instructions) {
                switch_file(file, current, data_.place(place));
                file.write(position(place) + fmt::format(" {}\n", fmt::join(own_.at(place), " ")));
            }
            for (const Call& call : calls[function]) {
                switch_file(file, current, data_.place(call.from));
                write_call(file, call);
            }
        }
    }

    /// Code of another file, which the compiler has inlined.
    static void switch_file(OutputFile& file, std::string& current, const RowPlace& place) {
        if (file_name(place) != current) {
            current = file_name(place);
            file.write(fmt::format("fe={}\n", current));
        }
    }

    void write_call(OutputFile& file, const Call& call) {
        const RowPlace& to = data_.functions()[function_of(call.to)];
        const CallCosts& costs = calls_.at(call);
        file.write(fmt::format("cob={}\ncfi={}\ncfn={}\ncalls={} {:#x} {}\n{} {}\n",
                               object_name(to), file_name(to), one_line(function_name(to)),
                               costs.samples, to.address, to.line, position(call.from),
                               fmt::join(costs.costs, " ")));
    }

    std::string position(std::size_t place) const {
        return fmt::format("{:#x} {}", data_.place(place).address, data_.place(place).line);
    }
    static std::string object_name(const RowPlace& place) {
        return one_line(place.program.empty() ? program_name(place) : place.program);
    }
    static std::string file_name(const RowPlace& place) {
        return place.file.empty() ? "???" : one_line(place.file); // as callgrind itself writes
    }

    ExportData& data_;
    std::vector<Column> columns_;
    Costs totals_;
    std::map<std::size_t, Costs> own_;
    std::map<Call, CallCosts> calls_;
    std::map<std::size_t, std::size_t> representatives_;
};

} // namespace

void export_callgrind(OutputFile& file, ExportData& data) {
    Callgrind(data).write(file);
}

} // namespace pes
