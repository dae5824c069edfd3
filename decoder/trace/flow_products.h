// SPDX-License-Identifier: Apache-2.0
// What is made of the instruction flow of a trace: options, the files that they ask for, and how
// well trace and program agree.
#pragma once

#include "decoder/trace/flow/flow.h"
#include "decoder/trace/flow/flow_statistics.h"
#include "decoder/trace/output/coverage_file.h"
#include "decoder/trace/output/instruction_text.h"
#include "decoder/trace/output/message_text.h"
#include "platform/host/output_set.h"
#include "platform/program/symbolizer.h"

#include <optional>

namespace pes::trace {

struct FlowOptions {
    std::string instructions; ///< path, "-" = standard output, empty = none
    std::string statistics;   ///< the same
    std::string coverage;     ///< the same
    SourceLines source_lines = SourceLines::InColumn;
    FilterOptions filter; ///< of instructions
};

class FlowProducts {
  public:
    /// Follows the programs of `symbols`, which outlives this, and raw memory; without any there is
    /// no flow. Opens its files in `files`.
    FlowProducts(const FlowOptions& options, const Symbolizer& symbols,
                 const std::vector<std::string>& memory, SourceColumn labels, OutputSet& files);

    /// Of all programs; empty without one.
    const ProgramImage& code() const { return image_; }

    /// Null without a program. For further listeners, before the first message.
    Flow* flow() { return flow_ ? &*flow_ : nullptr; }

    /// To be told everything that the reader finds, in its order.
    void add(const TraceItem& item, const MessageContext& context);
    void add(const etrace::PacketItem& item);
    void finish();

    /// For the message that was added last.
    NextAddress next_address(std::uint16_t source) const;

    std::string summary_text() const;                ///< empty if there is no program trace
    std::vector<std::string> describe_flaws() const; ///< also what a trace's end may leave open
    std::vector<std::string> notes() const; ///< a sentence for a product that came out empty
    bool flawed() const;

  private:
    std::uint64_t disagreements() const;

    ProgramImage image_;
    std::optional<Flow> flow_;
    FlowStatistics statistics_;
    std::optional<MessageStatistics> messages_;
    InstructionFilter filter_;
    TextOutput instructions_file_;
    TextOutput statistics_file_;
    TextOutput coverage_file_;
    std::optional<CoverageFile> coverage_; ///< of a finished image
    bool covers_lines_ = false;
    InstructionText instruction_text_;
};

} // namespace pes::trace
