// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/flow_products.h"

#include "decoder/trace/program/raw_memory.h"
#include "platform/program/elf_code.h"

#include <spdlog/fmt/fmt.h>

namespace pes::trace {

FlowProducts::FlowProducts(const FlowOptions& options, const Symbolizer& symbols,
                           const std::vector<std::string>& memory, SourceColumn labels,
                           OutputSet& files)
    : filter_(options.filter, symbols), instructions_file_(files.open(options.instructions)),
      statistics_file_(files.open(options.statistics)),
      coverage_file_(files.open(options.coverage)),
      instruction_text_(symbols, filter_, labels, options.source_lines, instructions_file_) {
    if (statistics_file_.wanted()) {
        messages_.emplace();
    }
    for (const ElfProgram& program : symbols.programs()) {
        add_program_code(image_, program.file());
    }
    const auto& programs = symbols.programs();
    const Xlen xlen = programs.empty() ? Xlen::Rv64 : programs.front().xlen();
    for (const std::string& text : memory) {
        add_raw_memory(image_, text, xlen);
    }
    if (image_.empty()) {
        return;
    }
    flow_.emplace(image_);
    flow_->add_sink(statistics_);
    if (instructions_file_.wanted()) {
        flow_->add_sink(instruction_text_);
    }
    if (coverage_file_.wanted()) {
        flow_->add_sink(coverage_.emplace(symbols, image_));
    }
}

void FlowProducts::add(const TraceItem& item, const MessageContext& context) {
    if (messages_) {
        messages_->add(item);
    }
    if (flow_) {
        flow_->add(item, context);
    }
}

void FlowProducts::add(const etrace::PacketItem& item) {
    if (messages_) {
        messages_->add(item);
    }
    if (flow_) {
        flow_->add(item);
    }
}

void FlowProducts::finish() {
    if (messages_) {
        statistics_file_.text() = statistics_text(*messages_, flow_ ? &statistics_ : nullptr);
    }
    statistics_file_.flush();
    if (coverage_) {
        coverage_file_.text() = coverage_->text();
        covers_lines_ = !coverage_file_.text().empty();
    }
    coverage_file_.flush();
    instructions_file_.flush();
}

NextAddress FlowProducts::next_address(std::uint16_t source) const {
    if (!flow_) {
        return {};
    }
    return {NextAddress::Column::Shown, flow_->position(source)};
}

std::uint64_t FlowProducts::disagreements() const {
    const FlowCounts total = statistics_.total();
    return total.gaps_for(GapReason::Contradiction) + total.gaps_for(GapReason::OutsideProgram);
}

std::string FlowProducts::summary_text() const {
    const FlowCounts total = statistics_.total();
    if (!flow_ || total.starts + flow_->unplaced_messages() == 0) {
        return "";
    }
    std::string text = fmt::format("  instructions     {}\n", total.instructions);
    for (const std::string& flaw : describe_flaws()) {
        text += "  flow             " + flaw + "\n";
    }
    for (const FlowGap& gap : statistics_.disagreements()) {
        text += fmt::format("  at {:#010x}    {:#x}: {}\n", gap.offset, gap.address.value_or(0),
                            gap.detail[0] == '\0' ? describe(gap.reason) : gap.detail);
    }
    const std::uint64_t unlisted = disagreements() - statistics_.disagreements().size();
    if (unlisted != 0) {
        text += fmt::format("  and {} more\n", unlisted);
    }
    return text;
}

std::vector<std::string> FlowProducts::describe_flaws() const {
    std::vector<std::string> flaws;
    if (!flow_) {
        return flaws;
    }
    const FlowCounts total = statistics_.total();
    for (const GapReason reason : {GapReason::Contradiction, GapReason::OutsideProgram}) {
        if (total.gaps_for(reason) != 0) {
            flaws.push_back(fmt::format("{} x {}", total.gaps_for(reason), describe(reason)));
        }
    }
    if (flow_->unplaced_messages() != 0) {
        flaws.push_back(fmt::format("{} program trace messages or packets at an unknown place",
                                    flow_->unplaced_messages()));
    }
    if (flow_->unresolved_units() != 0) {
        flaws.push_back(fmt::format(
            "{} half-words of I-CNT are left out: what tells their way is not in the trace",
            flow_->unresolved_units()));
    }
    return flaws;
}

std::vector<std::string> FlowProducts::notes() const {
    std::vector<std::string> notes;
    if (messages_ && messages_->empty()) {
        notes.emplace_back("--statistics has nothing in it: the trace has no message");
    }
    if (coverage_file_.wanted() && !covers_lines_) {
        notes.emplace_back("--lcov has nothing in it: the programs have no source lines");
    }
    if (!instructions_file_.wanted() || !instruction_text_.empty()) {
        return notes;
    }
    const std::uint64_t instructions = statistics_.total().instructions;
    notes.push_back("--instructions has nothing in it: " +
                    (instructions == 0 ? "the trace has no program trace that can be followed"
                                       : fmt::format("none of the {} instructions passes {}",
                                                     instructions, filter_.text())));
    return notes;
}

bool FlowProducts::flawed() const {
    return flow_ && disagreements() + flow_->unplaced_messages() != 0;
}

} // namespace pes::trace
