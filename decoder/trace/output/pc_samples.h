// SPDX-License-Identifier: Apache-2.0
// The PC samples of a trace as the tables of hot spots that `pes-decode samples` makes of records,
// for each process.
#pragma once

#include "decoder/trace/messages/trace_events.h"
#include "platform/profile/report.h"

namespace pes::trace {

struct HotSpotOptions {
    std::string csv; ///< path, "-" = standard output, empty = none
    std::vector<GroupBy> by{GroupBy::Function, GroupBy::Line};
    std::optional<std::size_t> top; ///< 0 = all; unset = few in the text, all in the file
    bool ascii = false;             ///< in the text
    bool no_color = false;
};

class PcSamples {
  public:
    /// To be told everything that the reader finds.
    void add(const TraceItem& item, const MessageContext& context);

    bool any() const { return samples_ + unknown_ != 0; }
    bool empty() const { return samples_ == 0; } ///< none at a known address

    void write_csv(std::ostream& out, const Symbolizer& symbols,
                   const HotSpotOptions& options) const;
    /// Their number, and with programs their tables.
    void write_text(std::ostream& out, const Symbolizer& symbols,
                    const HotSpotOptions& options) const;

  private:
    ReportTable table(const Symbolizer& symbols, GroupBy by) const;

    ProcessTallies processes_;
    std::map<std::uint16_t, std::uint64_t> current_; ///< process, by source
    std::uint64_t samples_ = 0;
    std::uint64_t unknown_ = 0; ///< behind a loss
};

} // namespace pes::trace
