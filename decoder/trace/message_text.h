// SPDX-License-Identifier: Apache-2.0
// A message as one line of text, as SiFive's published decoder prints it without a program at hand.
#pragma once

#include "decoder/trace/trace_context.h"

#include <string>

namespace pes::trace {

enum class SourceColumn : std::uint8_t { Hidden, Shown };

/// Appends "Msg # 2, Tics: 850, TCode: DATA ACQUISITION (7) idTag: 0x00000000 Data: 0x7f63f334\n".
/// A timestamp that has no absolute one to count from is "Tics: ?". `Shown` adds "Src: 1, ".
void append_message(std::string& text, std::uint64_t number, const TraceMessage& message,
                    const MessageContext& context, SourceColumn source);

} // namespace pes::trace
