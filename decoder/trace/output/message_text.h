// SPDX-License-Identifier: Apache-2.0
// A message as one line of text, as SiFive's published decoder prints it without a program at hand.
#pragma once

#include "decoder/trace/messages/trace_context.h"

#include <string>

namespace pes::trace {

enum class SourceColumn : std::uint8_t { Hidden, Shown };

/// The column that needs the program: where the flow stands after the message; 0 if unknown, as the
/// published decoder has it. Event messages have their own address in its place.
struct NextAddress {
    enum class Column : std::uint8_t { Hidden, Shown };
    Column column = Column::Hidden;
    std::optional<std::uint64_t> address;
};

/// "Periodic".
const char* sync_name(SyncReason reason);

/// Appends "Msg # 2, Tics: 850, TCode: DATA ACQUISITION (7) idTag: 0x00000000 Data: 0x7f63f334\n".
/// A timestamp that has no absolute one to count from is "Tics: ?". `Shown` adds "Src: 1, ".
void append_message(std::string& text, std::uint64_t number, const TraceMessage& message,
                    const MessageContext& context, SourceColumn source, NextAddress next = {});

} // namespace pes::trace
