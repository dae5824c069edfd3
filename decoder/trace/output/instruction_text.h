// SPDX-License-Identifier: Apache-2.0
// The reconstructed instructions as text, one a line:
//
//   1040 0x80000104 00150513 -         addi a0,a0,1                     main.c:12 main
//   1040 0x80000108 0f4000ef call      jal 0x800001fc <work>            main.c:13 main
//   # 1052 interrupt at 0x80000200, handler 0x80000400
//
// Columns: [source] time address word way disassembly file:line function. Lines that start with "#"
// are no instructions. With source lines, "## file:line function: text" comes in front of the
// first instruction of each and takes the place of the last two columns.
#pragma once

#include "decoder/trace/flow/flow_sink.h"
#include "decoder/trace/flow/instruction_filter.h"
#include "decoder/trace/output/message_text.h"
#include "decoder/trace/output/text_output.h"
#include "decoder/trace/program/address_spaces.h"
#include "platform/program/disassembler.h"
#include "platform/program/program_image.h"
#include "platform/program/source_text.h"
#include "platform/program/symbolizer.h"

#include <array>
#include <string>
#include <unordered_map>

namespace pes::trace {

enum class SourceLines : std::uint8_t { InColumn, Apart };

class InstructionText : public FlowSink {
  public:
    /// All outlive this; `Shown` puts "[source] " first.
    InstructionText(const Symbolizer& symbols, const InstructionFilter& filter, SourceColumn labels,
                    SourceLines lines, TextOutput& output)
        : symbols_(symbols), filter_(filter), labels_(labels), lines_(lines), output_(output),
          spaces_(symbols.programs()), known_(spaces_.count()),
          source_text_(symbols.source_path()) {}

    void started(const FlowStart& start) override;
    void ran(const InstructionRun& run) override;
    void trapped(const FlowTrap& trap) override;
    void context_changed(const FlowContext& context) override;
    void gap(const FlowGap& gap) override;
    void stopped(const FlowStop& stop) override;

    /// No instruction was listed.
    bool empty() const { return empty_; }

  private:
    static constexpr std::size_t kMostKnown = std::size_t{1} << 18;

    /// What is the same whenever an instruction runs.
    struct Known {
        const CodeSegment* code = nullptr;
        bool passes = false; ///< the filter, as far as the place counts
        std::uint8_t length = 0;
        std::uint32_t heading = 0; ///< index
        std::string head;          ///< address and word
        std::string tail;          ///< disassembly and place
    };
    using KnownPlaces = std::unordered_map<Address, Known>;

    bool begin_line(std::uint16_t source, FlowTime time, std::optional<Address> address);
    void write_prefix(std::string& text, std::uint16_t source, FlowTime time) const;
    void end_line();
    void write_heading(std::uint16_t source, std::uint32_t heading);

    const Known& known(std::size_t space, const CodeSegment& code, Address pc);
    Known describe(std::size_t space, const CodeSegment& code, Address pc);
    std::string disassemble(std::size_t space, const CodeSegment& code, Address pc);
    std::string place(const Location& location) const;
    std::uint32_t heading_of(const Location& location);
    Location find(std::uint16_t source, Address pc) const;

    const Symbolizer& symbols_;
    const InstructionFilter& filter_;
    SourceColumn labels_;
    SourceLines lines_;
    TextOutput& output_;
    AddressSpaces spaces_;
    std::vector<KnownPlaces> known_; ///< by space: the same addresses come again and again
    std::array<std::unique_ptr<Disassembler>, 2> disassemblers_; ///< by width of registers
    SourceText source_text_;
    std::unordered_map<std::string, std::uint32_t> heading_numbers_;
    std::vector<std::string> headings_;
    std::optional<std::pair<std::uint16_t, std::uint32_t>> last_heading_; ///< source, index
    std::string prefix_;                                                  ///< of a run's lines
    bool empty_ = true;
};

} // namespace pes::trace
