// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/event_files.h"

#include "decoder/trace/output/append_text.h"

#include <algorithm>
#include <array>

namespace pes::trace {

namespace {

/// The texts of the published files; codes behind their end are told apart below.
constexpr std::array<const char*, 16> kExceptions = {
    "Instruction address misaligned",
    "Instruction access fault",
    "Illegal instruction",
    "Breakpoint",
    "Load address misaligned",
    "Load access fault",
    "Store/AMO address misaligned",
    "Store/AMO access fault",
    "Environment call from U-mode",
    "Environment call from S-mode",
    "Reserved",
    "Environment call from M-mode",
    "Instruction page fault",
    "Load page fault",
    "Reserved",
    "Store/AMO page fault",
};
constexpr std::array<const char*, 12> kInterrupts = {
    "Reserved", "Supervisor software interrupt", "Reserved", "Machine software interrupt",
    "Reserved", "Supervisor timer interrupt",    "Reserved", "Machine timer interrupt",
    "Reserved", "Supervisor external interrupt", "Reserved", "Machine external interrupt",
};
constexpr std::array<const char*, 7> kControls = {
    "No Event", "Reserved", "Trace On", "Trace Off", "Exit Debug", "Enter Debug", "Exit Reset"};

/// Causes that the privileged specification has assigned since: table "mcause" of version 1.13.
const char* later_exception(std::uint64_t cause) {
    switch (cause) {
    case 16:
        return "Double trap";
    case 18:
        return "Software check";
    case 19:
        return "Hardware error";
    default:
        return nullptr;
    }
}

/// The published decoder takes a cause for a signed number of 32 bits.
const char* exception_text(std::uint64_t cause, TextStyle style) {
    if (style == TextStyle::Published) {
        cause = static_cast<std::uint32_t>(cause);
    } else if (const char* later = later_exception(cause)) {
        return later;
    }
    if (cause < kExceptions.size()) {
        return kExceptions[cause];
    }
    const bool custom = (cause >= 24 && cause <= 31) || (cause >= 48 && cause <= 63);
    return custom ? "Custom" : "Reserved";
}

const char* interrupt_text(std::uint64_t cause, TextStyle style) {
    constexpr std::uint64_t kCounterOverflow = 13;
    if (style == TextStyle::Published) {
        cause = static_cast<std::uint32_t>(cause);
        if (cause > INT32_MAX) {
            return "Reserved";
        }
    } else if (cause == kCounterOverflow) {
        return "Counter-overflow interrupt";
    }
    if (cause < kInterrupts.size()) {
        return kInterrupts[cause];
    }
    return cause >= 16 ? "Custom" : "Reserved";
}

const char* control_text(std::uint64_t code, TextStyle style) {
    constexpr std::uint64_t kPublishedEnterReset = 7; // but no encoder sends it
    if (style == TextStyle::Published) {
        code = static_cast<std::uint32_t>(code);
    }
    const std::uint64_t enter_reset = style == TextStyle::Published
                                          ? kPublishedEnterReset
                                          : static_cast<std::uint64_t>(ControlCode::EnterReset);
    if (code == enter_reset) {
        return "Enter Reset";
    }
    return code < kControls.size() ? kControls[code] : "Reserved";
}

/// The number behind the tag.
std::uint64_t context_of(std::uint64_t value) {
    constexpr unsigned kTagBits = 2;
    return value >> kTagBits;
}

/// The published text of a jump that is neither call nor return has no closing bracket.
const char* transfer_label(const TraceEvent& event, const std::optional<InstructionFlow>& flow,
                           TextStyle style) {
    if (!event.has_value || (flow && flow->link == LinkUse::Call)) {
        return "[Call]";
    }
    if (flow && flow->link == LinkUse::Return) {
        return "[Return]";
    }
    if (flow && flow->kind == FlowKind::TrapReturn) {
        return "[Exception Return]";
    }
    return style == TextStyle::Published ? "[Call/Return??" : "[Call/Return]";
}

bool is_transfer(const InstructionFlow& flow) {
    return flow.kind != FlowKind::Sequential && flow.kind != FlowKind::Branch;
}

} // namespace

EventFiles::EventFiles(OutputSet& files, const std::filesystem::path& directory, CodePlaces& places,
                       const ProgramImage& code, TextStyle style)
    : files_(files), places_(places), code_(code), style_(style), all_(nullptr),
      parts_(kFiles, TextOutput(nullptr)) {
    const std::string base = std::filesystem::path(places.program().path()).stem().string();
    stem_ = directory / "events" / base;
    all_ = TextOutput(files_.open((directory / (base + ".events")).string()));
    files_.make_directory(directory / "events");
    all_.text() = published_head_line(places.program());
}

void EventFiles::add(const TraceItem& item, const MessageContext& context) {
    std::optional<TraceEvent> event = event_of(item, context);
    if (published() && item.kind == TraceItem::Kind::Message) {
        forget(item.message, context, event);
    }
    constexpr std::uint64_t kMostDataFormat = 1; // CKDF 2 and 3 are reserved
    if (!event || item.message.value(Field::DataFormat) > kMostDataFormat) {
        return;
    }
    if (event->address || has_no_address(*event)) {
        write(*event, item.message.code);
    }
}

void EventFiles::forget(const TraceMessage& message, const MessageContext& context,
                        std::optional<TraceEvent>& event) {
    if (message.source >= references_.size()) {
        references_.resize(message.source + std::size_t{1});
    }
    Reference& reference = references_[message.source];
    if (message.code == MessageCode::ProgramTraceCorrelation) {
        reference = kNothing;
    } else if (layout_of(message.code).timestamp == TimestampKind::Absolute) {
        reference.time = true;
        reference.address = reference.address || context.address.has_value();
    }
    if (event && !reference.time) {
        event->time.reset();
    }
    if (event && !has_no_address(*event)) {
        event->address = reference.address ? event->address.value_or(0) : 0;
    }
    if (context.address) {
        const std::uint64_t next = context.destination.value_or(*context.address);
        reference.address = reference.address && next != 0;
    }
}

void EventFiles::lost() {
    std::fill(references_.begin(), references_.end(), kNothing);
}

bool EventFiles::has_no_address(const TraceEvent& event) {
    return event.counters || (event.kind == EventSource::Control && !event.has_value);
}

/// Nothing for a kind or a number of values that does not exist.
std::optional<EventFiles::File> EventFiles::file_of(const TraceEvent& event) {
    const auto with_value = [&](File file) {
        return event.has_value ? std::optional(file) : std::nullopt;
    };
    switch (event.kind) {
    case EventSource::ExternalTrigger:
        return File::Trigger;
    case EventSource::Watchpoint:
        return File::Watchpoint;
    case EventSource::CallReturn:
        return File::CallReturn;
    case EventSource::Exception:
        return with_value(File::Exception);
    case EventSource::Interrupt:
        return with_value(File::Interrupt);
    case EventSource::PcSample:
        return event.has_value ? std::nullopt : std::optional(File::Periodic);
    case EventSource::Control:
        return File::Control;
    case EventSource::Counters:
        return std::nullopt; // they go where the event in front of them went
    case EventSource::Context:
        switch (event.value & 3) {
        case 0:
            return with_value(File::PrivilegeContext);
        case 2:
            return with_value(File::SupervisorContext);
        case 3:
            return with_value(File::HypervisorContext);
        default:
            return std::nullopt;
        }
    }
    return std::nullopt;
}

const char* EventFiles::suffix_of(File file) {
    static constexpr std::array<const char*, kFiles> kSuffixes = {
        ".trigger",     ".watchpoint", ".callret",  ".exception", ".interrupt",
        ".privcontext", ".scontext",   ".hcontext", ".periodic",  ".control"};
    return kSuffixes[static_cast<std::size_t>(file)];
}

/// In the file of the event that they belong to, too.
void EventFiles::write_counters(const TraceEvent& event) {
    begin_published_line(line_, event.source, event.time, style_);
    line_ += "[PPCx8]";
    for (unsigned i = 0; i < kEventCounters; ++i) {
        append_text(line_, " cntr[{}]={:#06x}", i, (*event.counters)[i]);
    }
    line_ += '\n';
    const auto written = last_.find(event.source);
    if (written != last_.end()) {
        TextOutput& part = file(written->second);
        part.text() += line_;
        part.flush_blocks();
    }
    all_.text() += line_;
    all_.flush_blocks();
}

void EventFiles::write(const TraceEvent& event, MessageCode code) {
    if (event.counters) {
        write_counters(event);
        return;
    }
    last_.erase(event.source);
    const std::optional<File> kind = file_of(event);
    if (!kind) {
        return;
    }
    begin_published_line(line_, event.source, event.time, style_);
    if (*kind == File::CallReturn) {
        const auto flow = instruction_at(event.source, *event.address);
        if (published() && !(flow && is_transfer(*flow))) {
            return; // where the published decoder gives up
        }
        if (published() && event.has_value && code == MessageCode::InCircuitTraceSync) {
            return; // it writes these only together with CTF
        }
        append_transfer(event, flow, code);
    } else {
        append_event(*kind, event, code);
    }
    TextOutput& part = file(*kind); // it begins with the first event, even if that is left out
    if (end_line(*kind, event)) {
        part.text() += line_;
        part.flush_blocks();
        all_.text() += line_;
        all_.flush_blocks();
        empty_ = false;
        last_[event.source] = *kind;
    }
}

bool EventFiles::end_line(File file, const TraceEvent& event) {
    if (!event.address) {
        line_ += '\n';
        return !published();
    }
    if (published() && *event.address == 0) {
        line_ += " ffl:::0\n";
        return file == File::PrivilegeContext || file == File::SupervisorContext ||
               file == File::HypervisorContext;
    }
    end_published_line(line_, places_, event.source, *event.address);
    return true;
}

void EventFiles::append_event(File file, const TraceEvent& event, MessageCode code) {
    static constexpr std::array<const char*, kFiles> kLabels = {
        "[External Trigger]", "[Watchpoint]", "",           "[Exception]", "[Interrupt]",
        "[PrivContext]",      "[SContext]",   "[hContext]", "[PC Sample]", "[Control]"};
    line_ += kLabels[static_cast<std::size_t>(file)];
    line_ += " PC=";
    if (event.address) {
        append_address(*event.address);
    } else {
        line_ += "0x0";
    }
    switch (file) {
    case File::Trigger:
    case File::Watchpoint:
        line_ += " ID=[";
        if (!event.has_value) {
            line_ += "--";
        } else if (published() && file == File::Watchpoint && code == MessageCode::InCircuitTrace) {
            line_ += '0';
        } else {
            append_number(event.value);
        }
        break;
    case File::Exception:
    case File::Interrupt:
        line_ += " Cause=[";
        append_number(event.value);
        line_ += ':';
        line_ += file == File::Exception ? exception_text(event.value, style_)
                                         : interrupt_text(event.value, style_);
        break;
    case File::Control:
        line_ += " Control=[";
        append_number(event.value);
        line_ += ':';
        line_ += control_text(event.value, style_);
        break;
    case File::Periodic:
        line_ += " 0=[0";
        break;
    default:
        line_ += " Pid=["; // also that of a privilege mode
        append_number(context_of(event.value));
        break;
    }
    line_ += ']';
}

void EventFiles::append_transfer(const TraceEvent& event,
                                 const std::optional<InstructionFlow>& flow, MessageCode code) {
    line_ += transfer_label(event, flow, style_);
    line_ += " PC=";
    append_address(*event.address);
    line_ += " PCDest=[";
    if (const auto destination = destination_of(event, flow, code)) {
        append_address(*destination);
    } else {
        line_ += "--";
    }
    line_ += ']';
}

std::optional<Address> EventFiles::destination_of(const TraceEvent& event,
                                                  const std::optional<InstructionFlow>& flow,
                                                  MessageCode code) const {
    if (event.destination) {
        return event.destination;
    }
    if (published() && code == MessageCode::InCircuitTraceSync) {
        return event.address;
    }
    if (flow && flow->kind == FlowKind::DirectJump) {
        return flow->target(*event.address);
    }
    return published() ? std::optional<Address>(0) : std::nullopt;
}

void EventFiles::append_address(Address address) {
    append_text(line_, "{:#010x}", address);
}

void EventFiles::append_number(std::uint64_t value) {
    if (published()) {
        append_text(line_, "{}", static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
    } else {
        append_text(line_, "{}", value);
    }
}

std::optional<InstructionFlow> EventFiles::instruction_at(std::uint16_t source,
                                                          Address address) const {
    const CodeSegment* segment = code_.find(address, places_.spaces().current(source));
    if (segment == nullptr || segment->run(address).instructions == 0) {
        return std::nullopt;
    }
    return segment->flow(address);
}

TextOutput& EventFiles::file(File file) {
    TextOutput& part = parts_[static_cast<std::size_t>(file)];
    if (!part.wanted()) {
        part = TextOutput(files_.open(stem_.string() + suffix_of(file)));
        part.text() = published_head_line(places_.program());
    }
    return part;
}

void EventFiles::finish() {
    all_.flush();
    for (TextOutput& part : parts_) {
        part.flush();
    }
}

} // namespace pes::trace
