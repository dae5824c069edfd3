// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/stream_quality.h"

#include "decoder/trace/count_of.h"

#include <spdlog/fmt/fmt.h>
#include <utility>

namespace pes::trace {

void StreamQuality::note(std::uint64_t offset, std::string what) {
    if (places.size() < kMostPlaces) {
        places.push_back({offset, std::move(what)});
    } else {
        ++unlisted_places;
    }
}

std::string StreamQuality::sources_text() const {
    std::string text;
    if (by_source.size() > 1) {
        for (const auto& [source, count] : by_source) {
            text += fmt::format("  source {:<10}{}\n", source, count);
        }
    }
    return text;
}

std::string StreamQuality::flaws_text(const std::vector<std::string>& flaws) const {
    std::string text;
    for (const std::string& flaw : flaws) {
        text += "  damage           " + flaw + "\n";
    }
    for (const DamagePlace& place : places) {
        text += fmt::format("  at {:#010x}    {}\n", place.offset, place.what);
    }
    if (unlisted_places != 0) {
        text += fmt::format("  and {} more\n", count_of(unlisted_places, "place"));
    }
    return text;
}

} // namespace pes::trace
