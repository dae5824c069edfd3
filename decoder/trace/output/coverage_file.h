// SPDX-License-Identifier: Apache-2.0
// How often the lines, functions and branches of the traced programs ran, as an lcov tracefile
// (geninfo(1)). The instructions of a run are consecutive, so each run costs two additions: one
// where it begins, one behind its end; sums over the addresses are the counts.
#pragma once

#include "decoder/trace/flow/flow_sink.h"
#include "platform/program/program_image.h"
#include "platform/program/symbolizer.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes::trace {

class CoverageFile : public FlowSink {
  public:
    /// Both outlive this, and the image does not change.
    CoverageFile(const Symbolizer& symbols, const ProgramImage& image);

    void ran(const InstructionRun& run) override;

    /// Empty if no program has source lines.
    std::string text() const;

  private:
    /// Of a segment, by half-word.
    struct Counts {
        std::vector<std::int64_t> changes; ///< of the count of instructions, one more at the end
        std::vector<std::uint64_t> taken;
        std::vector<std::uint64_t> not_taken;
    };

    struct Branch {
        bool ran = false;
        std::uint64_t taken = 0;
        std::uint64_t not_taken = 0;
    };
    struct Line {
        /// Of the instruction that ran most; a line that was inlined is in several functions.
        std::map<const Function*, std::uint64_t> most;
        std::vector<Branch> branches;

        std::uint64_t count() const;
    };
    struct FunctionCount {
        unsigned line = 0;
        std::uint64_t count = 0;
    };
    struct SourceFile {
        std::map<unsigned, Line> lines;
        /// By symbol: lcov ends a name at a comma, which demangled ones have.
        std::map<std::string, FunctionCount> functions;
    };
    using SourceFiles = std::map<std::string, SourceFile>;

    void add_segment(std::size_t index, SourceFiles& files) const;
    void add_instruction(const Location& location, Address pc, std::size_t index,
                         std::uint64_t count, SourceFiles& files) const;
    /// Where a function begins in this segment, ascending.
    std::vector<Address> function_begins(const CodeSegment& segment) const;

    static void append_functions(std::string& text, const SourceFile& file);
    static void append_branches(std::string& text, const SourceFile& file);
    static void append_lines(std::string& text, const SourceFile& file);

    const Symbolizer& symbols_;
    const ProgramImage& image_;
    std::vector<Counts> counts_; ///< by segment
};

} // namespace pes::trace
