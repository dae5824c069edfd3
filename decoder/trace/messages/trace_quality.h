// SPDX-License-Identifier: Apache-2.0
// What a trace file held, how good it was, and where it was not.
#pragma once

#include "decoder/trace/messages/stream_quality.h"
#include "decoder/trace/messages/trace_context.h"

#include <string>

namespace pes::trace {

struct TraceQuality : StreamQuality {
    std::uint64_t messages = 0;
    std::uint64_t message_bytes = 0;
    std::array<std::uint64_t, 1U << kCodeBits> by_code{};
    std::uint64_t errors = 0;   ///< Error messages: the encoder says that it lost something
    std::uint64_t untimed = 0;  ///< timestamps without an absolute one before them
    std::uint64_t doubtful = 0; ///< values that the format does not assign
    std::array<std::uint64_t, kParseStatuses> damage{};

    void add(const TraceItem& item, const MessageContext& context);

    std::uint64_t damages() const;
    /// Everything that --strict refuses.
    bool flawed() const { return damages() + doubtful + untimed + errors + truncated_bytes != 0; }
};

/// "unknown TCODE 56": what is wrong with an item that is not a sound message.
std::string describe(const TraceItem& item);

/// One line each; empty if nothing is wrong.
std::vector<std::string> describe_flaws(const TraceQuality& quality);

/// The text that `pes-decode trace` prints.
std::string summary_text(const std::string& file, const TraceQuality& quality);

} // namespace pes::trace
