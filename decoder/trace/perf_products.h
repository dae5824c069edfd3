// SPDX-License-Identifier: Apache-2.0
// What is made of the performance records and events of a trace: options, and the files that they
// ask for.
#pragma once

#include "decoder/trace/calls/call_fan_out.h"
#include "decoder/trace/calls/event_calls.h"
#include "decoder/trace/calls/record_calls.h"
#include "decoder/trace/flow/flow.h"
#include "decoder/trace/output/ctf_trace.h"
#include "decoder/trace/output/event_files.h"
#include "decoder/trace/output/folded_stacks.h"
#include "decoder/trace/output/perf_files.h"
#include "decoder/trace/output/record_text.h"
#include "decoder/trace/output/timeline.h"
#include "decoder/trace/records/perf_quality.h"
#include "decoder/trace/trace_settings.h"

#include <memory>

namespace pes::trace {

struct PerfOptions {
    bool text_files = false;  ///< the published ones
    bool event_files = false; ///< the same of events
    TextStyle style = TextStyle::Published;
    bool ctf = false;
    std::string directory; ///< where they go; empty = beside the trace
    std::string csv;       ///< path, "-" = standard output, empty = none; the same for the others
    std::string json_lines;
    std::string timeline;
    std::string folded;
    FoldedWeight weight;
    unsigned stimulus = perf_record::kDefaultStimulus;
    CallListener* calls = nullptr; ///< is told of all calls, from whatever they are known

    bool any() const {
        return text_files || event_files || ctf || !csv.empty() || !json_lines.empty() ||
               !timeline.empty() || !folded.empty() || calls != nullptr;
    }
};

class PerfProducts {
  public:
    /// `symbols` may have no program and `code` be empty if nothing is asked for that needs them.
    /// Of `encoding` it takes how the trace ends and how many ticks a second has; unknown is taken
    /// for nanoseconds. Opens its files in `files`.
    PerfProducts(const PerfOptions& options, const std::string& trace_file,
                 const Symbolizer& symbols, const ProgramImage& code, const TraceEncoding& encoding,
                 OutputSet& files);

    /// The calls in the instruction flow too are for the products. Before the first message.
    void follow(Flow& flow);

    /// To be told everything that the reader finds, in its order.
    void add(const TraceItem& item, const MessageContext& context);
    void finish(std::uint64_t end_of_file);

    /// A sentence for each product that came out empty, and for calls that could not be followed.
    std::vector<std::string> notes() const;

    /// Null if the records were not looked at.
    const PerfQuality* quality() const { return enabled_ ? &*quality_ : nullptr; }

  private:
    /// Something is made of the calls of a program.
    bool wants_calls() const { return timeline_ || ctf_ || folded_ || calls_wanted_; }
    void open_files(const PerfOptions& options, const std::filesystem::path& directory,
                    OutputSet& files);
    void open_trees(const PerfOptions& options, const std::string& trace_file,
                    const std::filesystem::path& directory, OutputSet& files);
    void add_event(const TraceItem& item, const MessageContext& context);
    void tell_event(const TraceEvent& event);
    std::string why_no_stacks() const;

    bool enabled_;
    bool calls_wanted_; ///< PerfOptions::calls
    std::uint64_t clock_hz_;
    std::optional<CodePlaces> places_;
    std::optional<PerfQuality> quality_;
    std::unique_ptr<PerfFiles> text_files_;
    std::unique_ptr<EventFiles> event_files_;
    std::unique_ptr<RecordCsv> csv_;
    std::unique_ptr<RecordJson> json_;
    std::unique_ptr<Timeline> timeline_;
    std::unique_ptr<CtfTrace> ctf_;
    std::unique_ptr<FoldedStacks> folded_;
    OutputFile* folded_file_ = nullptr;
    std::uint64_t cut_stacks_ = 0; ///< of folded_, which would have made its file too large
    CallFanOut calls_;
    RecordCalls record_calls_;
    std::optional<CallTracker> flow_calls_;
    std::optional<EventCalls> event_calls_;
    FoldedWeight weight_;
    PerfRecords records_;
    PerfFanOut pieces_;
    PerfStreams streams_;
};

} // namespace pes::trace
