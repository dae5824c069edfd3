// SPDX-License-Identifier: Apache-2.0
// What the decoder makes of a stream: messages, stimulus writes, instructions, records, losses.
#pragma once

#include "decoder/trace/flow/flow.h"
#include "decoder/trace/messages/trace_quality.h"
#include "decoder/trace/records/perf_records.h"
#include "hw/interface/trace/stimulus.h"

#include <map>
#include <string>
#include <vector>

namespace pes::trace::test {

struct DecodedWrite {
    StimulusWrite write;
    std::optional<std::uint64_t> time;
    bool introduced = false;   ///< the message before it, of this source, is ICT_WS(0,0)
    std::size_t losses = 0;    ///< Error messages of this source before it
    std::size_t absolutes = 0; ///< absolute times of this source before it
};

/// An instruction, or inverted a trap, and the time of the message that told of it.
struct DecodedStep {
    Address address = 0;
    FlowTime time;
};

struct DecodedPiece {
    FlowStart start;
    std::vector<DecodedStep> steps;
};

struct DecodedRecord {
    std::uint16_t source = 0;
    std::uint64_t address = 0;
    std::vector<std::uint64_t> values;
    std::optional<std::uint64_t> time; ///< of its first write
};

/// Of one source.
struct DecodedSource {
    std::uint64_t messages = 0;
    std::vector<DecodedWrite> writes;
    std::vector<DecodedPiece> pieces;
    std::vector<FlowGap> gaps;
    unsigned stops = 0;
    std::vector<std::uint64_t> error_codes; ///< ECODE of each Error message
    std::vector<std::uint64_t> absolute_times;
    /// Time of the first message with F-ADDR of the program trace.
    std::optional<std::uint64_t> first_place;
};

struct DecodedStack {
    std::map<std::uint16_t, DecodedSource> sources;
    std::map<unsigned, std::vector<DecodedRecord>> records; ///< by stimulus
    TraceQuality quality;
    std::uint64_t unplaced_messages = 0;
    /// Runs that do not begin where the flow had come to, or leave the program. Never.
    unsigned impossible_runs = 0;
};

struct DecoderOptions {
    unsigned source_bits = 0;
    TimestampFormat timestamps;
    StreamStart start = StreamStart::AtMessage;
    std::vector<unsigned> record_stimuli;
};

DecodedStack decode_stack(const std::string& bytes, const ProgramImage& image,
                          const DecoderOptions& options);

} // namespace pes::trace::test
