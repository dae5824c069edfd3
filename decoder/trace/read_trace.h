// SPDX-License-Identifier: Apache-2.0
// A trace file from its first byte to its last, for whoever makes something of it.
#pragma once

#include "decoder/trace/etrace/packet_quality.h"
#include "decoder/trace/messages/trace_context.h"
#include "decoder/trace/messages/trace_quality.h"
#include "decoder/trace/trace_settings.h"

#include <functional>
#include <string>

namespace pes::trace {

/// Tells everything that the reader finds, in its order. Throws UserError if the file cannot be
/// read, or is not the one whose crc32 the side file has.
TraceQuality read_trace(const std::string& file, const TraceEncoding& encoding,
                        const TraceSettings& side_file,
                        const std::function<void(const TraceItem&, const MessageContext&)>& add);

/// The same of a file of E-Trace packets.
etrace::PacketQuality read_packets(const std::string& file, const TraceEncoding& encoding,
                                   const TraceSettings& side_file,
                                   const std::function<void(const etrace::PacketItem&)>& add);

} // namespace pes::trace
