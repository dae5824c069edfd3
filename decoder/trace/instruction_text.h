// SPDX-License-Identifier: Apache-2.0
// The reconstructed instructions as text, one a line:
//
//   1040 0x80000104 00150513 -         main.c:12 main
//   1040 0x80000108 0f4000ef call      main.c:13 main
//   # 1052 interrupt at 0x80000200, handler 0x80000400
//
// Columns: [source] time address word way file:line function. Lines that start with "#" are no
// instructions.
#pragma once

#include "decoder/symbolizer.h"
#include "decoder/trace/flow_sink.h"
#include "decoder/trace/message_text.h"
#include "decoder/trace/program_image.h"
#include "decoder/trace/text_output.h"

#include <string>
#include <unordered_map>

namespace pes::trace {

class InstructionText : public FlowSink {
  public:
    /// All outlive this; `Shown` puts "[source] " first.
    InstructionText(const ProgramImage& image, const Symbolizer& symbols, SourceColumn labels,
                    TextOutput& output)
        : image_(image), symbols_(symbols), labels_(labels), output_(output) {}

    void started(const FlowStart& start) override;
    void ran(const InstructionRun& run) override;
    void trapped(const FlowTrap& trap) override;
    void context_changed(const FlowContext& context) override;
    void gap(const FlowGap& gap) override;
    void stopped(const FlowStop& stop) override;

  private:
    static constexpr std::size_t kMostPlaces = std::size_t{1} << 18;

    void begin_line(std::uint16_t source, FlowTime time, const char* mark);
    void end_line();
    const std::string& place(Address pc);

    const ProgramImage& image_;
    const Symbolizer& symbols_;
    SourceColumn labels_;
    TextOutput& output_;
    std::unordered_map<Address, std::string> places_; ///< the same addresses come again and again
};

} // namespace pes::trace
