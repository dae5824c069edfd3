// SPDX-License-Identifier: Apache-2.0
// What a trace file held, how good it was, and where it was not.
#pragma once

#include "decoder/trace/messages/trace_context.h"

#include <string>

namespace pes::trace {

struct DamagePlace {
    std::uint64_t offset = 0;
    std::string what; ///< "5 bytes: unknown TCODE 56"
};

struct TraceQuality {
    std::uint64_t bytes = 0;
    std::uint64_t idle_bytes = 0;
    std::uint64_t cut_bytes = 0;     ///< left out at the start of a buffer that wrapped: no flaw
    std::uint64_t cut_end_bytes = 0; ///< at the end of a buffer that stopped: no flaw
    std::uint64_t messages = 0;
    std::uint64_t message_bytes = 0;
    std::array<std::uint64_t, 1U << kCodeBits> by_code{};
    std::map<std::uint16_t, std::uint64_t> by_source;
    std::uint64_t errors = 0; ///< Error messages: the encoder says that it lost something
    std::uint64_t timestamps = 0;
    std::uint64_t untimed = 0;  ///< timestamps without an absolute one before them
    std::uint64_t doubtful = 0; ///< values that the format does not assign
    std::array<std::uint64_t, kParseStatuses> damage{};
    std::uint64_t damaged_bytes = 0;
    std::uint64_t truncated_bytes = 0;
    std::vector<DamagePlace> places; ///< the first kMostPlaces
    std::uint64_t unlisted_places = 0;

    static constexpr std::size_t kMostPlaces = 20;

    void add(const TraceItem& item, const MessageContext& context);

    std::uint64_t damages() const;
    /// Everything that --strict refuses.
    bool flawed() const { return damages() + doubtful + untimed + errors + truncated_bytes != 0; }

  private:
    void note(const TraceItem& item);
};

/// "unknown TCODE 56": what is wrong with an item that is not a sound message.
std::string describe(const TraceItem& item);

/// One line each; empty if nothing is wrong.
std::vector<std::string> describe_flaws(const TraceQuality& quality);

/// The text that `pes-decode trace` prints.
std::string summary_text(const std::string& file, const TraceQuality& quality);

} // namespace pes::trace
