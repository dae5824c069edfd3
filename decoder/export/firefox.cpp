// SPDX-License-Identifier: Apache-2.0
// The processed profile format of the Firefox Profiler, version 56 (docs-developer/
// CHANGELOG-formats.md in github.com/firefox-devtools/profiler), which later ones take and upgrade:
// tables as objects of columns, a thread for each event of each hart. Weights are the events that
// samples stand for, times are milliseconds; a cycle is a nanosecond.
#include "decoder/export/formats.h"
#include "platform/profile/place_json.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <spdlog/fmt/fmt.h>
#include <unordered_map>
#include <utility>

namespace pes {
namespace {

constexpr int kProcessedVersion = 56;
constexpr int kGeckoVersion = 31; ///< of the profiles that Firefox itself made at that time
constexpr double kNanosecondsPerMillisecond = 1e6;
constexpr int kLibrary = 1; ///< type of a resource

/// Columns of one length.
class Table {
  public:
    explicit Table(std::initializer_list<const char*> columns) {
        for (const char* const column : columns) {
            columns_[column] = Json::array();
        }
    }

    /// A cell for each column, in their order.
    std::size_t add(std::initializer_list<Json> cells) {
        const auto* cell = cells.begin();
        for (auto& column : columns_) {
            column.push_back(*cell++);
        }
        return length_++;
    }
    std::size_t length() const { return length_; }

    Json json() const {
        Json table = columns_;
        table["length"] = length_;
        return table;
    }

  private:
    Json columns_ = Json::object();
    std::size_t length_ = 0;
};

class Strings {
  public:
    std::size_t index(const std::string& text) {
        const auto [known, is_new] = known_.try_emplace(text, known_.size());
        if (is_new) {
            list_.push_back(text);
        }
        return known->second;
    }
    const Json& json() const { return list_; }

  private:
    std::unordered_map<std::string, std::size_t> known_;
    Json list_ = Json::array();
};

/// The samples of one event of one hart, with what they refer to.
class Thread {
  public:
    Thread(ExportData& data, Strings& strings) : data_(data), strings_(strings) {}

    void add(const ExportedSample& sample) {
        std::optional<std::size_t> caller;
        const ExportedStack& stack = data_.stacks()[sample.stack];
        for (const std::size_t place : stack | std::views::reverse) {
            caller = stack_of(caller, frame_of(place));
        }
        samples_.add({*caller,
                      static_cast<double>(data_.nanoseconds(sample.record.cycle)) /
                          kNanosecondsPerMillisecond,
                      sample.weight});
    }

    Json json(const std::string& name, std::uint32_t hart) const {
        Json samples = samples_.json();
        samples["weightType"] = "samples";
        const Table markers{"data", "name", "startTime", "endTime", "phase", "category"};
        return {{"processType", "default"},
                {"processStartupTime", 0},
                {"processShutdownTime", nullptr},
                {"registerTime", 0},
                {"unregisterTime", nullptr},
                {"pausedRanges", Json::array()},
                {"name", name},
                {"isMainThread", true},
                {"processName", program_name(data_.place(0))},
                {"pid", fmt::format("hart {}", hart)},
                {"tid", name},
                {"samples", std::move(samples)},
                {"markers", markers.json()},
                {"stackTable", stacks_.json()},
                {"frameTable", frames_.json()},
                {"funcTable", functions_.json()},
                {"resourceTable", resources_.json()},
                {"nativeSymbols", symbols_.json()}};
    }

  private:
    std::size_t stack_of(std::optional<std::size_t> caller, std::size_t frame) {
        const auto [known, is_new] = known_stacks_.try_emplace({caller, frame}, stacks_.length());
        if (is_new) {
            stacks_.add({caller ? Json(*caller) : Json(nullptr), frame});
        }
        return known->second;
    }

    std::size_t frame_of(std::size_t place) {
        const auto [known, is_new] = known_frames_.try_emplace(place, frames_.length());
        if (is_new) {
            const RowPlace& row = data_.place(place);
            const std::size_t function = data_.function_at(row.address);
            frames_.add({address_of(row), 0, 0, 0, function_of(function), symbol_of(function), 0,
                         line_of(row), nullptr});
        }
        return known->second;
    }

    std::size_t function_of(std::size_t function) {
        const auto [known, is_new] = known_functions_.try_emplace(function, functions_.length());
        if (is_new) {
            const RowPlace& row = data_.functions()[function];
            functions_.add({strings_.index(function_name(row)), false, false, resource_of(row),
                            row.file.empty() ? Json(nullptr) : Json(strings_.index(row.file)),
                            line_of(row), nullptr});
        }
        return known->second;
    }

    /// What the assembly view asks for; null outside of every symbol.
    Json symbol_of(std::size_t function) {
        const RowPlace& row = data_.functions()[function];
        const std::optional<std::size_t> library = library_of(row);
        if (row.function.empty() || !library) {
            return nullptr;
        }
        const auto [known, is_new] = known_symbols_.try_emplace(function, symbols_.length());
        if (is_new) {
            symbols_.add({*library, address_of(row), strings_.index(function_name(row)), nullptr});
        }
        return known->second;
    }

    Json resource_of(const RowPlace& row) {
        const std::optional<std::size_t> library = library_of(row);
        if (!library) {
            return -1;
        }
        const auto [known, is_new] = known_resources_.try_emplace(*library, resources_.length());
        if (is_new) {
            resources_.add({*library, strings_.index(program_name(row)), nullptr, kLibrary});
        }
        return known->second;
    }

    std::optional<std::size_t> library_of(const RowPlace& row) const {
        const auto& programs = data_.programs();
        const auto found =
            std::find_if(programs.begin(), programs.end(), [&row](const ElfProgram& program) {
                return program.path() == row.program;
            });
        return found == programs.end()
                   ? std::nullopt
                   : std::optional(static_cast<std::size_t>(found - programs.begin()));
    }

    static Json line_of(const RowPlace& row) {
        return row.line == 0 ? Json(nullptr) : Json(row.line);
    }
    /// Relative to the program; -1 where there is none.
    Json address_of(const RowPlace& row) const {
        const std::optional<std::size_t> library = library_of(row);
        return library ? Json(row.address - data_.programs()[*library].file().base) : Json(-1);
    }

    ExportData& data_;
    Strings& strings_;
    Table samples_{"stack", "time", "weight"};
    Table stacks_{"prefix", "frame"};
    Table frames_{"address",      "inlineDepth",   "category", "subcategory", "func",
                  "nativeSymbol", "innerWindowID", "line",     "column"};
    Table functions_{"name",     "isJS",       "relevantForJS", "resource",
                     "fileName", "lineNumber", "columnNumber"};
    Table resources_{"lib", "name", "host", "type"};
    Table symbols_{"libIndex", "address", "name", "functionSize"};
    std::map<std::pair<std::optional<std::size_t>, std::size_t>, std::size_t> known_stacks_;
    std::map<std::size_t, std::size_t> known_frames_, known_functions_, known_symbols_,
        known_resources_;
};

Json libraries_of(const ExportData& data) {
    Json libraries = Json::array();
    for (const ElfProgram& program : data.programs()) {
        RowPlace place;
        place.program = program.path();
        const std::string name = program_name(place);
        libraries.push_back({{"arch", program.xlen() == Xlen::Rv64 ? "riscv64" : "riscv32"},
                             {"name", name},
                             {"path", program.path()},
                             {"debugName", name},
                             {"debugPath", program.path()},
                             {"breakpadId", ""},
                             {"codeId", nullptr}});
    }
    return libraries;
}

Json meta_of() {
    const Json category{{"name", "Other"}, {"color", "grey"}, {"subcategories", {"Other"}}};
    return {{"interval", 1},
            {"startTime", 0},
            {"processType", 0},
            {"product", "pes-decode " PES_VERSION},
            {"stackwalk", 1},
            {"version", kGeckoVersion},
            {"preprocessedProfileVersion", kProcessedVersion},
            {"symbolicated", true},
            {"categories", Json::array({category})},
            {"markerSchema", Json::array()}};
}

} // namespace

void export_firefox(OutputFile& file, ExportData& data) {
    Strings strings;
    std::map<std::pair<std::size_t, std::uint32_t>, Thread> threads;
    std::vector<const ExportedSample*> by_time; // readers look for times in a sorted column
    for (const ExportedSample& sample : data.samples()) {
        by_time.push_back(&sample);
    }
    std::stable_sort(by_time.begin(), by_time.end(), [](const auto* a, const auto* b) {
        return a->record.cycle < b->record.cycle;
    });
    for (const ExportedSample* const sample : by_time) {
        threads.try_emplace({sample->event, sample->record.hart}, data, strings)
            .first->second.add(*sample);
    }
    Json list = Json::array();
    for (const auto& [key, thread] : threads) {
        const std::string& event = data.events()[key.first].name;
        list.push_back(thread.json(fmt::format("{}, hart {}", event, key.second), key.second));
    }
    Json document{{"meta", meta_of()}, {"libs", libraries_of(data)}};
    document["shared"]["stringArray"] = strings.json();
    document["threads"] = std::move(list);
    file.write(compact_text_of(document));
}

} // namespace pes
