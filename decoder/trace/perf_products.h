// SPDX-License-Identifier: Apache-2.0
// What is made of the performance records of a trace: options, and the files that they ask for.
#pragma once

#include "decoder/trace/perf_files.h"
#include "decoder/trace/perf_quality.h"
#include "decoder/trace/trace_context.h"

#include <memory>

namespace pes::trace {

struct PerfOptions {
    bool text_files = false; ///< the published ones
    PerfStyle style = PerfStyle::Published;
    std::string directory; ///< where they go; empty = beside the trace
    unsigned stimulus = perf_record::kDefaultStimulus;

    bool any() const { return text_files; }
};

class PerfProducts {
  public:
    /// `program` may be null if nothing is asked for that needs one. Opens its files in `files`.
    PerfProducts(const PerfOptions& options, const std::string& trace_file,
                 const ElfProgram* program, OutputSet& files);

    /// To be told everything that the reader finds, in its order.
    void add(const TraceItem& item, const MessageContext& context);
    void finish(std::uint64_t end_of_file);

    /// Null if the records were not looked at.
    const PerfQuality* quality() const { return enabled_ ? &*quality_ : nullptr; }

  private:
    bool enabled_;
    std::optional<CodePlaces> places_;
    std::optional<PerfQuality> quality_;
    std::unique_ptr<PerfFiles> text_files_;
    PerfRecords records_;
    PerfFanOut pieces_;
    PerfStreams streams_;
};

} // namespace pes::trace
