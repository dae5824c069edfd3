// SPDX-License-Identifier: Apache-2.0
// speedscope's own format (https://www.speedscope.app/file-format-schema.json): a profile of type
// "sampled" for each event of each hart, with one stack and one weight for each sample in the order
// of the file. Frames are functions: speedscope takes each frame for a row of its tables.
#include "decoder/export/formats.h"
#include "platform/profile/place_json.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <spdlog/fmt/fmt.h>
#include <utility>

namespace pes {
namespace {

using Key = std::pair<std::size_t, std::uint32_t>; ///< event and hart

Json frames_of(const ExportData& data) {
    Json frames = Json::array();
    for (const RowPlace& function : data.functions()) {
        Json frame{{"name", function_name(function)}};
        if (!function.file.empty()) {
            frame["file"] = function.file;
            frame["line"] = function.line;
        }
        frames.push_back(std::move(frame));
    }
    return frames;
}

/// Outermost first.
Json stack_of(ExportData& data, const ExportedStack& stack) {
    Json frames = Json::array();
    for (const std::size_t place : stack | std::views::reverse) {
        frames.push_back(data.function_at(data.place(place).address));
    }
    return frames;
}

Json new_profile(const std::string& name) {
    return {{"type", "sampled"},       {"name", name},  {"unit", "none"},
            {"startValue", 0},         {"endValue", 0}, {"samples", Json::array()},
            {"weights", Json::array()}};
}

bool has_several_harts(const ExportData& data) {
    const auto& samples = data.samples();
    return std::any_of(samples.begin(), samples.end(), [&](const ExportedSample& sample) {
        return sample.record.hart != samples.front().record.hart;
    });
}

} // namespace

void export_speedscope(OutputFile& file, ExportData& data) {
    const bool name_harts = has_several_harts(data);
    std::map<Key, Json> profiles;
    std::map<Key, std::uint64_t> ends;
    for (const ExportedSample& sample : data.samples()) {
        const Key key{sample.event, sample.record.hart};
        const std::string& event = data.events()[sample.event].name;
        const auto [profile, is_new] = profiles.try_emplace(key);
        if (is_new) {
            profile->second =
                new_profile(name_harts ? fmt::format("{}, hart {}", event, key.second) : event);
        }
        profile->second["samples"].push_back(stack_of(data, data.stacks()[sample.stack]));
        profile->second["weights"].push_back(sample.weight);
        ends[key] = saturating_sum(ends[key], sample.weight);
    }
    Json list = Json::array();
    for (auto& [key, profile] : profiles) {
        profile["endValue"] = ends[key];
        list.push_back(std::move(profile));
    }
    const Json document{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                        {"name", data.programs().front().path()},
                        {"exporter", "pes-decode " PES_VERSION},
                        {"activeProfileIndex", 0},
                        {"shared", {{"frames", frames_of(data)}}},
                        {"profiles", std::move(list)}};
    file.write(compact_text_of(document));
}

} // namespace pes
