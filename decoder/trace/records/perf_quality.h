// SPDX-License-Identifier: Apache-2.0
// What performance records a trace held, and what of them is lost, where.
#pragma once

#include "decoder/trace/messages/trace_quality.h"
#include "decoder/trace/program/code_places.h"
#include "decoder/trace/records/perf_records.h"

namespace pes::trace {

class PerfQuality : public PerfRecordSink {
  public:
    /// `places` null: no program to judge addresses by.
    PerfQuality(CodePlaces* places, StreamEnd end) : places_(places), end_(end) {}

    void header(std::uint16_t source, const PerfHeader& header, TraceTime time) override;
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t source, const PerfLoss& loss) override;

    bool found() const { return headers_ != 0; }
    bool flawed() const { return losses_ + outside_ != 0; }
    /// One line each; empty if nothing is wrong.
    std::vector<std::string> describe_flaws() const;
    /// What the summary of the trace says about them.
    std::string summary_text() const;

  private:
    CodePlaces* places_;
    StreamEnd end_;
    std::uint64_t cut_ =
        0; ///< headers and records cut by the end of a buffer that stopped: no flaw
    std::uint64_t headers_ = 0;
    std::array<std::uint64_t, perf_record::kRecordKinds> records_{};
    std::uint64_t outside_ = 0; ///< addresses where the program has no code
    std::uint64_t losses_ = 0;
    std::uint64_t lost_writes_ = 0;
    std::vector<DamagePlace> lost_at_; ///< the first TraceQuality::kMostPlaces
};

} // namespace pes::trace
