// SPDX-License-Identifier: Apache-2.0
// Holds a save file of GTKWave against its waveform (VCD).
#pragma once

#include "tests/unit/common/temporary_directory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace pes::test {

/// The signals as GTKWave calls them, and the first and the last time.
struct WaveOutline {
    std::set<std::string> names;
    std::uint64_t from = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t to = 0;
};

inline WaveOutline outline_of(const std::filesystem::path& wave) {
    WaveOutline outline;
    std::vector<std::string> scopes;
    std::istringstream lines(read_file(wave));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string keyword;
        std::string type;
        words >> keyword >> type;
        if (keyword == "$scope") {
            scopes.emplace_back();
            words >> scopes.back();
        } else if (keyword == "$upscope") {
            scopes.pop_back();
        } else if (keyword == "$var") {
            std::string name;
            for (const std::string& scope : scopes) {
                name += scope + ".";
            }
            unsigned width = 0;
            std::string code;
            std::string own;
            words >> width >> code >> own;
            name += own;
            outline.names.insert(width <= 1 || type == "string"
                                     ? name
                                     : name + "[" + std::to_string(width - 1) + ":0]");
        } else if (keyword.starts_with('#')) {
            const std::uint64_t time = std::stoull(keyword.substr(1));
            outline.from = std::min(outline.from, time);
            outline.to = std::max(outline.to, time);
        }
    }
    return outline;
}

struct SaveOutline {
    std::vector<std::string> signals;
    std::vector<std::string> groups;
    std::vector<std::string> marker_names;
    std::vector<std::uint64_t> markers; ///< the primary one and those that are set
    std::uint64_t start = 0;
};

inline SaveOutline outline_of_save(const std::filesystem::path& save) {
    SaveOutline outline;
    std::istringstream lines(read_file(save));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "[timestart]") {
            words >> outline.start;
        } else if (word == "[markername]") {
            outline.marker_names.push_back(line.substr(word.size() + 1));
        } else if (word.starts_with('*')) {
            while (words >> word) {
                if (word != "-1") {
                    outline.markers.push_back(std::stoull(word));
                }
            }
        } else if (word.starts_with('-')) {
            outline.groups.push_back(line.substr(1));
        } else if (!word.starts_with('@') && !word.starts_with('[')) {
            const std::size_t label = line.starts_with("+{") ? line.find("} ") + 2 : 0;
            outline.signals.push_back(line.substr(label));
        }
    }
    return outline;
}

/// What is wrong, a line each; empty if nothing is.
inline std::string problems_of_save(const std::filesystem::path& wave,
                                    const std::filesystem::path& save) {
    const WaveOutline recorded = outline_of(wave);
    const SaveOutline shown = outline_of_save(save);
    std::string problems;
    for (const std::string& signal : shown.signals) {
        problems += recorded.names.contains(signal) ? "" : "no signal " + signal + "\n";
    }
    for (const std::uint64_t time : shown.markers) {
        problems += time >= recorded.from && time <= recorded.to
                        ? ""
                        : "marker outside: " + std::to_string(time) + "\n";
    }
    if (shown.start < recorded.from || shown.start > recorded.to) {
        problems += "begins outside: " + std::to_string(shown.start) + "\n";
    }
    if (shown.signals.empty() || shown.markers.empty()) {
        problems += "no signals or no markers\n";
    }
    return problems;
}

} // namespace pes::test
