// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/instruction_text.h"

#include "decoder/trace/flow/flow_statistics.h"
#include "decoder/trace/output/append_text.h"
#include "platform/profile/text_layout.h"

#include <string_view>
#include <utility>

namespace pes::trace {
namespace {

/// A column: blanks fill it.
std::string_view way(RunEnd end) {
    switch (end) {
    case RunEnd::Plain:
        break;
    case RunEnd::NotTaken:
        return "not-taken ";
    case RunEnd::Taken:
        return "taken     ";
    case RunEnd::Jump:
    case RunEnd::IndirectJump:
        return "jump      ";
    case RunEnd::Call:
        return "call      ";
    case RunEnd::Return:
        return "return    ";
    case RunEnd::ReturnAndCall:
        return "swap      ";
    case RunEnd::TrapReturn:
        return "trap-ret  ";
    }
    return "-         ";
}

const char* trap_name(TrapKind kind) {
    switch (kind) {
    case TrapKind::Exception:
        return "exception";
    case TrapKind::Interrupt:
        return "interrupt";
    case TrapKind::Unknown:
        break;
    }
    return "trap";
}

const char* mode_name(const FlowContext& context) {
    switch (context.privilege) {
    case 0:
        return context.virtualised ? "VU" : "U";
    case 1:
        return context.virtualised ? "VS" : "S";
    case 3:
        return "M";
    default:
        return "reserved";
    }
}

void append_address(std::string& text, const std::optional<Address>& address) {
    if (address) {
        append_text(text, " at {:#010x}", *address);
    } else {
        text += " at an unknown address";
    }
}

} // namespace

void InstructionText::write_prefix(std::string& text, std::uint16_t source, FlowTime time) const {
    if (labels_ == SourceColumn::Shown) {
        append_text(text, "[{}] ", source);
    }
    if (time) {
        append_text(text, "{} ", *time);
    } else {
        text += "? ";
    }
}

/// A line that is no instruction: false if it is to be left out, as by the place that it names.
bool InstructionText::begin_line(std::uint16_t source, FlowTime time,
                                 std::optional<Address> address) {
    if (!filter_.passes_source(source) || !filter_.passes_time(time) ||
        (address && !filter_.passes_place(*address, find(source, *address).function))) {
        return false;
    }
    output_.text() += "# ";
    write_prefix(output_.text(), source, time);
    return true;
}

void InstructionText::end_line() {
    output_.text() += '\n';
    output_.flush_blocks();
}

Location InstructionText::find(std::uint16_t source, Address pc) const {
    return symbols_.find(pc, spaces_.context(spaces_.of(source)));
}

std::string InstructionText::place(const Location& location) const {
    std::string text = location.source.line == 0 ? "?"
                                                 : printable(short_path(location.source.file)) +
                                                       ":" + std::to_string(location.source.line);
    text += ' ';
    text += location.function == nullptr ? "?" : printable(location.function->name);
    return text;
}

std::uint32_t InstructionText::heading_of(const Location& location) {
    std::string text = place(location);
    if (const auto source = source_text_.line(location.source.file, location.source.line);
        !source.empty()) {
        text += ": " + printable(source);
    }
    const auto [entry, is_new] =
        heading_numbers_.try_emplace(text, static_cast<std::uint32_t>(headings_.size()));
    if (is_new) {
        headings_.push_back(std::move(text));
    }
    return entry->second;
}

void InstructionText::write_heading(std::uint16_t source, std::uint32_t heading) {
    const std::pair now(source, heading);
    if (last_heading_ == now) {
        return;
    }
    last_heading_ = now;
    output_.text() += "## ";
    if (labels_ == SourceColumn::Shown) {
        append_text(output_.text(), "[{}] ", source);
    }
    output_.text() += headings_[heading];
    output_.text() += '\n';
}

/// A target is followed by the function that it is in, as objdump does.
std::string InstructionText::disassemble(std::size_t space, const CodeSegment& code, Address pc) {
    const Xlen xlen = code.traits().xlen;
    auto& disassembler = disassemblers_[xlen == Xlen::Rv32 ? 0 : 1];
    if (disassembler == nullptr) {
        disassembler = std::make_unique<Disassembler>(xlen);
    }
    std::string text = disassembler->text(pc, code.word(pc));
    const InstructionFlow flow = code.flow(pc);
    if (!flow.inferable()) {
        return text;
    }
    const Address target = flow.target(pc);
    const Function* function = symbols_.find(target, spaces_.context(space)).function;
    if (function == nullptr) {
        return text;
    }
    append_text(text, " <{}", printable(function->name));
    if (target != function->begin) {
        append_text(text, "+{:#x}", target - function->begin);
    }
    return text + '>';
}

InstructionText::Known InstructionText::describe(std::size_t space, const CodeSegment& code,
                                                 Address pc) {
    const Location location = symbols_.find(pc, spaces_.context(space));
    Known known;
    known.code = &code;
    known.passes = filter_.passes_place(pc, location.function);
    known.length = code.run(pc).length;
    if (!known.passes) {
        return known;
    }
    if (known.length == 2) {
        append_text(known.head, "{:#010x} {:04x}     ", pc, code.word(pc));
    } else {
        append_text(known.head, "{:#010x} {:08x} ", pc, code.word(pc));
    }
    known.tail = disassemble(space, code, pc);
    if (lines_ == SourceLines::Apart) {
        known.heading = heading_of(location);
    } else {
        constexpr std::size_t kWidth = 32;
        known.tail.append(known.tail.size() < kWidth ? kWidth - known.tail.size() : 0, ' ');
        known.tail += ' ' + place(location);
    }
    known.tail += '\n';
    return known;
}

const InstructionText::Known& InstructionText::known(std::size_t space, const CodeSegment& code,
                                                     Address pc) {
    KnownPlaces& places = known_[space];
    const auto found = places.find(pc);
    if (found != places.end() && found->second.code == &code) {
        return found->second;
    }
    if (places.size() >= kMostKnown) {
        places.clear();
    }
    return places.insert_or_assign(pc, describe(space, code, pc)).first->second;
}

void InstructionText::ran(const InstructionRun& run) {
    if (!filter_.passes_source(run.source) || !filter_.passes_time(run.time)) {
        return;
    }
    const std::size_t space = spaces_.of(run.source);
    prefix_.clear();
    write_prefix(prefix_, run.source, run.time);
    std::string& text = output_.text();
    Address pc = run.begin;
    for (std::uint32_t i = 0; i < run.instructions; ++i) {
        const Known& line = known(space, *run.code, pc);
        pc += line.length;
        if (!line.passes) {
            continue;
        }
        if (lines_ == SourceLines::Apart) {
            write_heading(run.source, line.heading);
        }
        text += prefix_;
        text += line.head;
        text += way(i + 1 == run.instructions ? run.end : RunEnd::Plain);
        text += line.tail;
        empty_ = false;
        output_.flush_blocks();
    }
}

void InstructionText::started(const FlowStart& start) {
    if (begin_line(start.source, start.time, start.address)) {
        append_text(output_.text(), "start ({}) at {:#010x}", sync_name(start.reason),
                    start.address);
        end_line();
    }
}

void InstructionText::trapped(const FlowTrap& trap) {
    if (begin_line(trap.source, trap.time, trap.from)) {
        append_text(output_.text(), "{} at {:#010x}, handler {:#010x} {}", trap_name(trap.kind),
                    trap.from, trap.to, place(find(trap.source, trap.to)));
        end_line();
    }
}

void InstructionText::context_changed(const FlowContext& context) {
    constexpr std::uint8_t kSupervisorContext = 2;
    if (context.format == kSupervisorContext) {
        spaces_.enter(context.source, context.context);
    }
    if (!begin_line(context.source, context.time, {})) {
        return;
    }
    append_text(output_.text(), "mode {}", mode_name(context));
    if (context.format != 0) {
        append_text(output_.text(), ", {} {:#x}",
                    context.format == kSupervisorContext ? "scontext" : "hcontext",
                    context.context);
    }
    end_line();
}

/// Loss passes every filter but that of the source: what it hid may have been what was asked for.
void InstructionText::gap(const FlowGap& gap) {
    if (!filter_.passes_source(gap.source)) {
        return;
    }
    output_.text() += "# ";
    write_prefix(output_.text(), gap.source, gap.time);
    output_.text() += "lost";
    append_address(output_.text(), gap.address);
    append_text(output_.text(), ": {}{}{} (offset {:#x})", pes::trace::describe(gap.reason),
                gap.detail[0] == '\0' ? "" : ": ", gap.detail, gap.offset);
    end_line();
}

void InstructionText::stopped(const FlowStop& stop) {
    if (begin_line(stop.source, stop.time, stop.address)) {
        append_text(output_.text(), "stop (EVCODE {})", static_cast<unsigned>(stop.reason));
        append_address(output_.text(), stop.address);
        end_line();
    }
}

} // namespace pes::trace
