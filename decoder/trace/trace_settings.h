// SPDX-License-Identifier: Apache-2.0
// How a trace was encoded, as far as its reader has to know: options, then the file TRACE.toml that
// pes-vp and perfWriteTrace write beside a trace, then what the trace shows (found_settings.h),
// then the defaults of SiFive's encoders.
#pragma once

#include "decoder/trace/etrace/packet_reader.h"
#include "decoder/trace/messages/trace_context.h"
#include "decoder/trace/messages/trace_reader.h"
#include "decoder/trace/program/process_map.h"
#include "hw/interface/trace/protocol.h"
#include "platform/program/program_file.h"

#include <optional>
#include <string>
#include <vector>

namespace pes::trace {

/// What somebody said; nothing is set by default.
struct TraceSettings {
    std::optional<Protocol> protocol;
    etrace::Parameters packets; ///< of E-Trace: those that are said, else the defaults
    std::optional<TimestampDialect> dialect;
    std::optional<unsigned> timestamp_bits;
    std::optional<unsigned> source_bits;
    std::optional<unsigned> address_bits;
    std::optional<AddressForm> addresses;
    std::optional<StreamStart> start;
    std::optional<StreamEnd> end;
    std::optional<double> clock_hz;
    std::optional<std::uint64_t> bytes; ///< of the trace that a side file was written for
    std::optional<std::uint32_t> crc32; ///< of the same
    std::vector<ProgramFile> programs;
    std::vector<ProcessMap> maps;
    std::vector<std::string> memory; ///< raw_memory.h
};

/// What to read a trace with.
struct TraceEncoding {
    Protocol protocol = Protocol::Nexus;
    etrace::Encoding packets; ///< of E-Trace
    TimestampFormat timestamps;
    unsigned source_bits = 0;
    std::optional<unsigned> address_bits;
    AddressForm addresses = AddressForm::Plain;
    StreamStart start = StreamStart::AtMessage;
    StreamEnd end = StreamEnd::BehindMessage;
    std::optional<double> clock_hz;
    std::vector<ProgramFile> programs; ///< those of the maps last
    std::vector<std::string> memory;
    std::vector<std::string> missing; ///< programs in maps for which there is no file

    bool has_code() const { return !programs.empty() || !memory.empty(); }
};

/// "sifive" or "n-trace".
std::optional<TimestampDialect> parse_dialect(const std::string& name);

/// TRACE.toml, if there is one. Keys that are not known are passed over. Throws UserError for a
/// file that is not TOML and for a value that cannot be.
TraceSettings read_side_file(const std::string& trace_file);

/// `found` is what the file itself shows of what neither says.
TraceEncoding resolve(const TraceSettings& options, const TraceSettings& side_file,
                      const TraceSettings& found = {});

} // namespace pes::trace
