// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/instruction_text.h"

#include "decoder/text_layout.h"
#include "decoder/trace/flow_statistics.h"

#include <iterator>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

template <typename... Values>
void append(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

const char* way(RunEnd end) {
    switch (end) {
    case RunEnd::Plain:
        return "-";
    case RunEnd::NotTaken:
        return "not-taken";
    case RunEnd::Taken:
        return "taken";
    case RunEnd::Jump:
    case RunEnd::IndirectJump:
        return "jump";
    case RunEnd::Call:
        return "call";
    case RunEnd::Return:
        return "return";
    case RunEnd::ReturnAndCall:
        return "swap";
    case RunEnd::TrapReturn:
        return "trap-ret";
    }
    return "-";
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
        append(text, " at {:#010x}", *address);
    } else {
        text += " at an unknown address";
    }
}

} // namespace

void InstructionText::begin_line(std::uint16_t source, FlowTime time, const char* mark) {
    std::string& text = output_.text();
    text += mark;
    if (labels_ == SourceColumn::Shown) {
        append(text, "[{}] ", source);
    }
    if (time) {
        append(text, "{} ", *time);
    } else {
        text += "? ";
    }
}

void InstructionText::end_line() {
    output_.text() += '\n';
    output_.flush_blocks();
}

const std::string& InstructionText::place(Address pc) {
    if (const auto known = places_.find(pc); known != places_.end()) {
        return known->second;
    }
    if (places_.size() == kMostPlaces) {
        places_.clear();
    }
    const Location location = symbols_.find(pc);
    std::string text = location.source.line == 0 ? "?"
                                                 : printable(short_path(location.source.file)) +
                                                       ":" + std::to_string(location.source.line);
    text += ' ';
    text += location.function == nullptr ? "?" : printable(location.function->name);
    return places_.emplace(pc, std::move(text)).first->second;
}

void InstructionText::ran(const InstructionRun& run) {
    const CodeSegment* segment = image_.find(run.begin);
    Address pc = run.begin;
    for (std::uint32_t i = 0; i < run.instructions; ++i) {
        begin_line(run.source, run.time, "");
        const unsigned length = segment->run(pc).length;
        const char* end = i + 1 == run.instructions ? way(run.end) : "-";
        if (length == 2) {
            append(output_.text(), "{:#010x} {:04x}     {:<9} {}", pc, segment->word(pc), end,
                   place(pc));
        } else {
            append(output_.text(), "{:#010x} {:08x} {:<9} {}", pc, segment->word(pc), end,
                   place(pc));
        }
        end_line();
        pc += length;
    }
}

void InstructionText::started(const FlowStart& start) {
    begin_line(start.source, start.time, "# ");
    append(output_.text(), "start ({}) at {:#010x}", sync_name(start.reason), start.address);
    end_line();
}

void InstructionText::trapped(const FlowTrap& trap) {
    begin_line(trap.source, trap.time, "# ");
    append(output_.text(), "{} at {:#010x}, handler {:#010x} {}", trap_name(trap.kind), trap.from,
           trap.to, place(trap.to));
    end_line();
}

void InstructionText::context_changed(const FlowContext& context) {
    begin_line(context.source, context.time, "# ");
    append(output_.text(), "mode {}", mode_name(context));
    if (context.format != 0) {
        append(output_.text(), ", {} {:#x}", context.format == 2 ? "scontext" : "hcontext",
               context.context);
    }
    end_line();
}

void InstructionText::gap(const FlowGap& gap) {
    begin_line(gap.source, gap.time, "# ");
    append(output_.text(), "lost");
    append_address(output_.text(), gap.address);
    append(output_.text(), ": {}{}{} (offset {:#x})", describe(gap.reason),
           gap.detail[0] == '\0' ? "" : ": ", gap.detail, gap.offset);
    end_line();
}

void InstructionText::stopped(const FlowStop& stop) {
    begin_line(stop.source, stop.time, "# ");
    append(output_.text(), "stop (EVCODE {})", static_cast<unsigned>(stop.reason));
    append_address(output_.text(), stop.address);
    end_line();
}

} // namespace pes::trace
