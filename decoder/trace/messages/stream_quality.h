// SPDX-License-Identifier: Apache-2.0
// What the summaries of messages and of packets have in common: bytes, sources, and the places
// where a file was not good.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes::trace {

struct DamagePlace {
    std::uint64_t offset = 0;
    std::string what; ///< "5 bytes: unknown TCODE 56"
};

struct StreamQuality {
    std::uint64_t bytes = 0;
    std::uint64_t idle_bytes = 0;
    std::uint64_t cut_bytes = 0;     ///< left out at the start of a buffer that wrapped: no flaw
    std::uint64_t cut_end_bytes = 0; ///< at the end of a buffer that stopped: no flaw
    std::map<std::uint16_t, std::uint64_t> by_source; ///< messages or packets
    std::uint64_t timestamps = 0;
    std::uint64_t damaged_bytes = 0;
    std::uint64_t truncated_bytes = 0;
    std::vector<DamagePlace> places; ///< the first kMostPlaces
    std::uint64_t unlisted_places = 0;

    static constexpr std::size_t kMostPlaces = 20;

    void note(std::uint64_t offset, std::string what);
    /// Of the summary: a line for each source, if there are several.
    std::string sources_text() const;
    /// The same for each flaw, then each place.
    std::string flaws_text(const std::vector<std::string>& flaws) const;
};

} // namespace pes::trace
