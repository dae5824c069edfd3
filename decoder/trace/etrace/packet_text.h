// SPDX-License-Identifier: Apache-2.0
// An E-Trace packet as one line of text, with the field names of the specification.
#pragma once

#include "decoder/trace/etrace/packet_reader.h"
#include "decoder/trace/output/message_text.h"

#include <string>

namespace pes::trace::etrace {

/// Appends "Packet # 2, Tics: 850, NxtAddr: 80000004, format 3, start: branch 1, privilege 3,
/// address 0x80000000\n". An address of formats 0 to 2 is a difference, with its sign, unless
/// `full` is set. `Shown` adds "Src: 1, ".
void append_packet(std::string& text, std::uint64_t number, const PacketItem& item, bool full,
                   SourceColumn source, NextAddress next = {});

} // namespace pes::trace::etrace
