// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/message_text.h"

#include "decoder/trace/output/append_text.h"
#include "hw/interface/trace/event_counters.h"

#include <array>

namespace pes::trace {
namespace {

/// 1 is every trap in the dialect of the published decoder; 2 and 3 have N-Trace's meaning.
const char* branch_name(std::uint64_t type) {
    switch (static_cast<BranchType>(type)) {
    case BranchType::Indirect:
        return "Indirect";
    case BranchType::Trap:
    case BranchType::Exception:
        return "Exception";
    case BranchType::Interrupt:
        return "Interrupt";
    }
    return "Reserved";
}

constexpr const char* kReserved = "Reserved";

/// `second`: the message has two values.
const char* event_name(EventSource source, bool second) {
    switch (source) {
    case EventSource::Control:
        return "Control";
    case EventSource::ExternalTrigger:
        return second ? "External Trigger + ID" : "External Trigger";
    case EventSource::CallReturn:
        return second ? "Call/Return" : "Inferable Call";
    case EventSource::Exception:
        return "Exception";
    case EventSource::Interrupt:
        return "Interrupt";
    case EventSource::Counters:
        return "PPCx8";
    case EventSource::Context:
        return "Context";
    case EventSource::Watchpoint:
        return second ? "Watchpoint + ID" : "Watchpoint";
    case EventSource::PcSample:
        return "Periodic";
    }
    return kReserved;
}

/// By the tag in a context event.
const char* context_prefix(std::uint64_t value) {
    switch (value & 3) {
    case 2:
        return "S";
    case 3:
        return "H";
    default:
        return "?";
    }
}

/// What stands for a second value in front of the address. A call's or a return's, its destination,
/// stands behind.
void append_event_value(std::string& text, EventSource source, std::uint64_t value) {
    switch (source) {
    case EventSource::ExternalTrigger:
    case EventSource::Watchpoint:
        append_text(text, " Trigger ID {}", value);
        break;
    case EventSource::Exception:
    case EventSource::Interrupt:
        append_text(text, " Cause {}", value);
        break;
    case EventSource::Context:
        append_text(text, " {}Context {} Pid: {}", context_prefix(value), value, value >> 2);
        break;
    case EventSource::CallReturn:
        break;
    default: // a PC sample has none
        append_text(text, " Value {}", value);
        break;
    }
}

void append_process(std::string& text, std::uint64_t process) {
    const std::uint64_t format = process & 3;
    const std::uint64_t privilege = (process >> 2) & 3;
    const std::uint64_t virtualised = (process >> 4) & 1;
    const std::uint64_t context = process >> 5;
    switch (format) {
    case 0:
        text += " V or Prv change: ";
        break;
    case 1:
        text += " Bad ownership tag: b01: ";
        break;
    case 2:
        append_text(text, " sync or scontext change: pid={}, ", context);
        break;
    default:
        append_text(text, " sync or hcontext change: pid={}, ", context);
        break;
    }
    // Guests run in U and S only, and mode 2 does not exist.
    static constexpr std::array<const char*, 8> kModes = {
        "U-mode:",  "S-mode:",  "Bad prv:", "M-mode:", // V = 0
        "VU-mode:", "VS-mode:", "Bad prv:", "Bad prv:"};
    append_text(text, "{} v={}, prv={:02b}", kModes[4 * virtualised + privilege], virtualised,
                privilege);
}

void append_event(std::string& text, const TraceMessage& message, const MessageContext& context) {
    const auto source = static_cast<EventSource>(message.value(Field::EventSource));
    const std::uint64_t first = message.value(Field::EventData0);
    const bool second = message.has(Field::EventData1);
    const std::uint64_t value = second ? message.value(Field::EventData1) : first;
    append_text(text, " ICT Reason: {} ({})", event_name(source, second),
                message.value(Field::EventSource));
    if (const auto counters = counters_of(message)) {
        text += " ppcEvent:";
        for (unsigned i = 0; i < kEventCounters; ++i) {
            append_text(text, " {}={:#06x}", i, (*counters)[i]);
        }
        return;
    }
    if (source == EventSource::Control) {
        append_text(text, " Control {}", value);
        if (!second) {
            return;
        }
    } else if (event_name(source, second) == kReserved || source == EventSource::Counters) {
        append_text(text, " CKDATA0: {:#010x}", first);
        if (second) {
            append_text(text, " CKDATA1: {:#010x}", value);
        }
        return;
    } else if (second) {
        append_event_value(text, source, value);
    }
    append_text(text, " {}: {:#010x}",
                message.code == MessageCode::InCircuitTraceSync ? "F-ADDR" : "U-ADDR",
                context.extended_field.value_or(first));
    if (source == EventSource::CallReturn && second) {
        if (context.destination) {
            append_text(text, " PCdest {:#010x}", *context.destination);
        } else {
            text += " PCdest ?";
        }
    }
}

void append_resource(std::string& text, const TraceMessage& message) {
    const std::uint64_t code = message.value(Field::ResourceCode);
    const std::uint64_t data = message.value(Field::ResourceData);
    append_text(text, " RCode: {}", code);
    switch (static_cast<Resource>(code)) {
    case Resource::InstructionCount:
        append_text(text, " I-CNT: {}", data);
        break;
    case Resource::History:
        append_text(text, " History: {:#010x}", data);
        break;
    case Resource::HistoryRepeat:
        append_text(text, " History: {:#010x} Repeat: {}", data,
                    message.value(Field::HistoryRepeat));
        break;
    case Resource::NotTaken:
        append_text(text, " Not Taken Count: {}", data);
        break;
    case Resource::Taken:
        append_text(text, " Taken Count: {}", data);
        break;
    default:
        append_text(text, " Data: {:#x}", data);
        break;
    }
}

/// The fields that program trace messages share, in their order.
void append_program_trace(std::string& text, const TraceMessage& message,
                          const MessageContext& context) {
    if (message.has(Field::SyncReason)) {
        const std::uint64_t reason = message.value(Field::SyncReason);
        append_text(text, " Reason: ({}) {}", reason, sync_name(static_cast<SyncReason>(reason)));
    }
    if (message.has(Field::EventCode)) {
        append_text(text, " EVCODE: {} CDF: {}", message.value(Field::EventCode),
                    message.value(Field::DataFormat));
    }
    if (message.has(Field::BranchType)) {
        const std::uint64_t type = message.value(Field::BranchType);
        append_text(text, " Branch Type{} {} ({})", message.has(Field::SyncReason) ? "" : ":",
                    branch_name(type), type);
    }
    append_text(text, " I-CNT: {}", message.value(Field::InstructionCount));
    if (message.has(Field::Address)) {
        const bool full = layout_of(message.code).timestamp == TimestampKind::Absolute;
        append_text(text, " {}: {:#010x}", full ? "F-Addr" : "U-ADDR",
                    context.extended_field.value_or(message.value(Field::Address)));
        if (message.code == MessageCode::IndirectBranch) {
            text += ' ';
        }
    }
    if (message.has(Field::History)) {
        append_text(text, " History: {:#010x}", message.value(Field::History));
    }
}

/// A write to a stimulus. Bits 1:0 of its place tell its size, and so how many digits it has.
void append_store(std::string& text, const char* name, std::uint64_t place, std::uint64_t data) {
    const std::uint64_t offset = place & 3;
    const std::uint64_t bytes = offset < 2 ? 4 : 4 - offset;
    append_text(text, " {}: {:#010x} Data: {:#0{}x}", name, place, data, 2 + (2 * bytes));
}

void append_fields(std::string& text, const TraceMessage& message, const MessageContext& context) {
    switch (message.code) {
    case MessageCode::Ownership:
        append_process(text, message.value(Field::Process));
        break;
    case MessageCode::DataAcquisition:
        append_store(text, "idTag", message.value(Field::IdTag), message.value(Field::Data));
        break;
    case MessageCode::AuxAccessWrite:
        append_store(text, "Addr", message.value(Field::AccessAddress), message.value(Field::Data));
        break;
    case MessageCode::Error:
        append_text(text, " Error Type {}", message.value(Field::ErrorType));
        if (message.value(Field::ErrorCode) != 0) {
            append_text(text, " Error Code {:#x}", message.value(Field::ErrorCode));
        }
        break;
    case MessageCode::ResourceFull:
        append_resource(text, message);
        break;
    case MessageCode::RepeatBranch:
        append_text(text, " B-CNT: {}", message.value(Field::BranchCount));
        break;
    case MessageCode::InCircuitTrace:
    case MessageCode::InCircuitTraceSync:
        append_event(text, message, context);
        break;
    default:
        append_program_trace(text, message, context);
        break;
    }
}

bool is_event(MessageCode code) {
    return code == MessageCode::InCircuitTrace || code == MessageCode::InCircuitTraceSync;
}

} // namespace

const char* sync_name(SyncReason reason) {
    switch (reason) {
    case SyncReason::ExternalTrigger:
        return "EVTI";
    case SyncReason::ExitReset:
        return "Exit Reset";
    case SyncReason::Periodic:
        return "T Count";
    case SyncReason::ExitDebug:
        return "Exit Debug";
    case SyncReason::InstructionCountOverflow:
        return "I-Count Overflow";
    case SyncReason::TraceEnable:
        return "Trace Enable";
    case SyncReason::Watchpoint:
        return "Watchpoint";
    case SyncReason::FifoOverrun:
        return "FIFO Overrun";
    case SyncReason::ExitPowerDown:
        return "Exit Powerdown";
    case SyncReason::MessageContention:
        return "Message Contention";
    case SyncReason::PcSample:
        return "PC Sample";
    }
    return "Bad Sync Reason";
}

void append_message(std::string& text, std::uint64_t number, const TraceMessage& message,
                    const MessageContext& context, SourceColumn source, NextAddress next) {
    append_text(text, "Msg # {}, ", number);
    if (source == SourceColumn::Shown) {
        append_text(text, "Src: {}, ", message.source);
    }
    if (context.time) {
        append_text(text, "Tics: {}, ", *context.time);
    } else if (message.timestamp) {
        text += "Tics: ?, ";
    }
    if (is_event(message.code)) {
        if (context.address) {
            append_text(text, "Address: {:08x} ", *context.address);
        }
    } else if (next.column == NextAddress::Column::Shown) {
        append_text(text, "NxtAddr: {:08x}, ", next.address.value_or(0));
    }
    append_text(text, "TCode: {} ({})", layout_of(message.code).name,
                static_cast<unsigned>(message.code));
    append_fields(text, message, context);
    text += '\n';
}

} // namespace pes::trace
