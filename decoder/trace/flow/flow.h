// SPDX-License-Identifier: Apache-2.0
// Messages + program -> instruction flow, for each source. For makers of tools:
//
//   ProgramImage image;            add_program_code(image, "program.elf") or image.add(...)
//   Flow flow(image);
//   flow.add_sink(tool);           what derives from FlowSink, or a CallTracker
//   while (reader.next(item)) {    TraceReader, ContextTracker
//       flow.add(item, contexts.next(item));
//   }
//
// Memory does not depend on the length of the trace.
#pragma once

#include "decoder/trace/etrace/packet_flow.h"
#include "decoder/trace/flow/source_flow.h"

#include <map>
#include <memory>

namespace pes::trace {

class Flow {
  public:
    /// `image` outlives the flow.
    explicit Flow(const ProgramImage& image) : image_(image) {}

    /// `sink` outlives the flow. Before the first message.
    void add_sink(FlowSink& sink) { sinks_.push_back(&sink); }

    /// To be told everything that the reader finds, in its order.
    void add(const TraceItem& item, const MessageContext& context);
    /// The same of a trace of E-Trace packets.
    void add(const etrace::PacketItem& item);
    void set_parameters(const etrace::Parameters& parameters) { parameters_ = parameters; }

    /// The next instruction that this source runs, if known.
    std::optional<Address> position(std::uint16_t source) const;
    /// Program trace messages, or packets, that came while the position was unknown.
    std::uint64_t unplaced_messages() const;
    /// Half-words of I-CNT whose HIST, or other message that tells their way, has not come.
    std::uint64_t unresolved_units() const;

  private:
    SourceFlow& source(std::uint16_t number);

    const ProgramImage& image_;
    std::vector<FlowSink*> sinks_;
    std::map<std::uint16_t, std::unique_ptr<SourceFlow>> sources_;
    etrace::Parameters parameters_; ///< of all packet sources
    std::map<std::uint16_t, std::unique_ptr<etrace::PacketFlow>> packet_sources_;
    SourceFlow* recent_ = nullptr;
    std::uint16_t recent_number_ = 0;
};

} // namespace pes::trace
