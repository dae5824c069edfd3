// SPDX-License-Identifier: Apache-2.0
// The text files of performance records that SiFive's published decoder (0.18) writes and Freedom
// Studio's views for Trace Compass read, with its names and its lines:
//
//   <program>.perf                 everything
//   perf/<program>.address         addresses of manual and timer records
//   perf/<program>.callret         function enter and exit
//   perf/<program>.perfchannel<n>  definition and values of counter n
//
// TextStyle::Published writes what that decoder writes, byte for byte, with what it does wrong:
// besides that of all its files (published_lines.h) a line at an address outside of the program is
// missing, so is the last value of a trace if it has 32 bits, a value of 32 bits has the time of
// the write behind it, a DeltaXor counter loses a second wrap. TextStyle::Fixed mends these and
// nothing else.
#pragma once

#include "decoder/trace/output/published_lines.h"
#include "decoder/trace/output/text_output.h"
#include "decoder/trace/records/perf_stream.h"
#include "platform/host/output_set.h"

namespace pes::trace {

class PerfFiles : public PerfSink {
  public:
    /// `directory` exists; the files are opened as they are needed and committed by the set.
    PerfFiles(OutputSet& files, const std::filesystem::path& directory, CodePlaces& places,
              TextStyle style);

    void count_type(std::uint16_t number, perf_record::CountType type, TraceTime time) override;
    void mask(std::uint16_t number, std::uint32_t mask, TraceTime time) override;
    void definition(std::uint16_t number, const CounterDefinition& definition,
                    TraceTime time) override;
    void address(std::uint16_t number, const PerfAddress& address) override;
    void value(std::uint16_t number, const PerfValue& value) override;
    void record_end(std::uint16_t) override {}
    void torn(std::uint16_t) override {}
    void lost(std::uint16_t, const PerfLoss&) override {}

    void finish();

  private:
    /// Besides the file with everything: one for each counter, then these.
    static constexpr std::size_t kAddresses = perf_record::kMostCounters;
    static constexpr std::size_t kCalls = kAddresses + 1;
    static constexpr std::size_t kFiles = kCalls + 1;

    struct Source {
        perf_record::CountType type{};
        std::uint64_t counted_at = 0; ///< the address that the values belong to
    };

    Source& source(std::uint16_t number);
    TextOutput& file(std::size_t index, std::uint16_t number);
    void write(std::size_t index, std::uint16_t number);
    void begin_line(std::uint16_t source, TraceTime time) {
        begin_published_line(line_, source, time, style_);
    }
    /// False if the line is to be left out.
    bool end_line_at(std::uint16_t source, std::uint64_t address) {
        const bool in_program = end_published_line(line_, places_, source, address);
        return in_program || style_ == TextStyle::Fixed;
    }

    OutputSet& files_;
    std::filesystem::path stem_; ///< of the files in the directory "perf"
    CodePlaces& places_;
    TextStyle style_;
    TextOutput all_;
    std::vector<TextOutput> parts_;
    std::vector<Source> sources_;
    std::string line_;
};

} // namespace pes::trace
