// SPDX-License-Identifier: Apache-2.0
// Control of the encoder: teControl, start and stop of the trace, stimuli and triggers.
// The registers are listed in encoder_registers.cpp.
#include "hw/trace/encoder/encoder.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/trace.h"

#include <bit>
#include <stdexcept>

namespace pes::trace {
namespace {

namespace control = trace_map::control;
namespace implementation_field = trace_map::implementation;

constexpr unsigned kMostSources = 16; ///< teImpl.srcID has 4 bits
constexpr unsigned kMostHarts = 16;   ///< and hartId too
constexpr unsigned kMostEncoderSourceBits = 7;

// The initial value in OpenOCD's scripts: a synchronising message every 256 messages or 4096
// half-words.
constexpr std::uint32_t kResetSyncMessages = 3;
constexpr std::uint32_t kResetSyncUnits = 8;
constexpr std::uint32_t kMostSyncMessages = 11; ///< the largest exponent but "never"

const EncoderConfig& checked(const EncoderConfig& config) {
    const auto refuse = [&](const std::string& what) {
        throw std::invalid_argument(config.name + ": " + what);
    };
    if (config.hart >= kMostHarts) {
        refuse("hart " + std::to_string(config.hart) + ", expected 0 to 15");
    }
    if (config.source_bits > kMostEncoderSourceBits) {
        refuse("SRC of " + std::to_string(config.source_bits) + " bits, expected 0 to 7");
    }
    if (config.source >= kMostSources || (config.source >> config.source_bits) != 0) {
        refuse("source " + std::to_string(config.source) + " does not fit SRC of " +
               std::to_string(config.source_bits) + " bits and 0 to 15");
    }
    if (config.fifo_bytes < kSmallestFifo) {
        refuse("a FIFO of " + std::to_string(config.fifo_bytes) + " bytes, expected at least " +
               std::to_string(kSmallestFifo));
    }
    return config;
}

bool bit(std::uint32_t word, unsigned n) {
    return ((word >> n) & 1U) != 0;
}

} // namespace

Encoder::Encoder(const EncoderConfig& config, SinkUnit& sink, const TimestampUnit* master)
    : config_(checked(config)), sink_(sink), log_(module_logger(config.name)),
      queue_(config.fifo_bytes), timestamps_({.type = config.timestamp_type,
                                              .bits = config.timestamps.bits,
                                              .dialect = config.timestamps.dialect},
                                             master),
      sender_(queue_, timestamps_, config.timestamps, config.source),
      registers_(config.name, trace_map::kBlockBytes, describe()) {
    sink_.connect(queue_, *this);
    control_ = reset_control(0);
}

void Encoder::connect(TracedHart* hart) {
    hart_ = hart;
    sender_.connect(hart);
}

// ------------------------------------------------------------------------------------------------
// teControl, teImpl

std::uint32_t Encoder::field(unsigned shift, std::uint32_t mask) const {
    return (control_ >> shift) & mask;
}

bool Encoder::enabled() const {
    return active_ && (control_ & control::kEnable) != 0;
}

bool Encoder::should_run() const {
    return enabled() && (control_ & control::kTracing) != 0;
}

std::uint32_t Encoder::reset_control(Cycle at) {
    return kResetSyncMessages << control::kSyncMaxMessagesShift |
           kResetSyncUnits << control::kSyncMaxUnitsShift |
           sink_.select(trace_map::sink::kOnly, at) << control::kSinkShift;
}

std::uint32_t Encoder::read_control() const {
    std::uint32_t value = control_ | 1U << control::kSliceFormatShift;
    value |= active_ ? control::kActive : 0;
    value |= queue_.empty() && sink_.empty() ? control::kEmpty : 0;
    value |= sender_.stalled_or_overflowed() ? control::kStallOrOverflow : 0;
    value |= sink_.error() ? control::kSinkError : 0;
    return value;
}

std::uint32_t Encoder::implementation() const {
    const auto word_code = static_cast<unsigned>(std::countr_zero(sink_.word_bytes() / 4));
    return sink_.present() | word_code << implementation_field::kSinkBytesShift |
           config_.source << implementation_field::kSourceShift |
           config_.source_bits << implementation_field::kSourceBitsShift |
           config_.hart << implementation_field::kHartShift;
}

// WARL: the fields that software can write, with their legal values. Fields that are not named here
// are fixed or belong to other blocks.
std::uint32_t Encoder::legal_control(std::uint32_t value, Cycle at) {
    std::uint32_t legal = value & (control::kEnable | control::kTracing | control::kStopOnWrap |
                                   control::kSyncMaxMask << control::kSyncMaxUnitsShift |
                                   control::kInstrumentationMask << control::kInstrumentationShift);
    if (hart_ != nullptr) {
        legal |= value & control::kStallEnable;
    }
    if (config_.source_bits != 0) {
        legal |= value & control::kInhibitSource;
    }
    std::uint32_t instruction = (value >> control::kInstructionShift) & control::kInstructionMask;
    if (tracer_ == nullptr) {
        instruction = trace_map::instruction::kNone;
    } else if (instruction == 2 || instruction == 4 || instruction == 5) { // reserved
        instruction = field(control::kInstructionShift, control::kInstructionMask);
    }
    legal |= instruction << control::kInstructionShift;

    std::uint32_t messages = (value >> control::kSyncMaxMessagesShift) & control::kSyncMaxMask;
    if (messages > kMostSyncMessages && messages != control::kSyncNever) {
        messages = kMostSyncMessages;
    }
    legal |= messages << control::kSyncMaxMessagesShift;

    const std::uint32_t sink = value >> control::kSinkShift;
    const std::uint32_t selected = control_ >> control::kSinkShift;
    return legal | (sink == selected ? sink : sink_.select(sink, at)) << control::kSinkShift;
}

std::uint32_t Encoder::legal_events() const {
    if (tracer_ == nullptr) {
        return 0;
    }
    return trace_map::event::kAll | (tracer_->has_counters() ? trace_map::event::kCounters : 0);
}

void Encoder::write_control(std::uint32_t value, Cycle at) {
    if ((value & control::kActive) == 0) {
        deactivate(at);
        return;
    }
    const bool was_enabled = enabled();
    active_ = true;
    control_ = legal_control(value, at);
    sink_.on_wrap((control_ & control::kStopOnWrap) != 0 ? SinkUnit::OnWrap::Stop
                                                         : SinkUnit::OnWrap::GoOn);
    if ((value & control::kStallOrOverflow) == 0) {
        sender_.clear_stalled_or_overflowed();
    }
    if ((value & control::kSinkError) != 0) {
        sink_.clear_error();
    }
    if (!was_enabled && enabled()) {
        sink_.open();
    }
    update(SyncReason::TraceEnable, at);
    if (was_enabled && !enabled()) {
        queue_.flush(at);
    }
}

void Encoder::deactivate(Cycle at) {
    active_ = false;
    sender_.reset(at);
    update(SyncReason::TraceEnable, at);
    sink_.reset(at);
    control_ = reset_control(at);
    sink_.on_wrap(SinkUnit::OnWrap::GoOn);
    triggers_.reset();
    events_ = 0;
    itc_trace_enable_ = 0;
    pc_sampling_ = false;
    pc_capture_ = 0;
    pc_sample_ = 0;
    message_base_ = sender_.counts().messages;
}

// The buffer is full: there is no room for messages in flight.
void Encoder::stop_on_wrap(Cycle at) {
    control_ &= ~control::kEnable;
    sender_.abandon(at);
    update(SyncReason::TraceEnable, at);
}

// ------------------------------------------------------------------------------------------------
// Start and stop

InstructionTraceSettings Encoder::tracer_settings() const {
    const auto limit = [this](unsigned shift, unsigned least) {
        const std::uint32_t exponent = field(shift, control::kSyncMaxMask);
        return exponent == control::kSyncNever ? 0 : std::uint64_t{1} << (exponent + least);
    };
    const auto mode = field(control::kInstructionShift, control::kInstructionMask);
    return {.mode = static_cast<InstructionMode>(mode),
            .events = events_,
            .sync_messages = limit(control::kSyncMaxMessagesShift, 5),
            .sync_units = limit(control::kSyncMaxUnitsShift, 4),
            .dialect = config_.timestamps.dialect};
}

// Brings tracer and sender in line with the registers. Sending may block this process while others
// write registers, so conditions are checked again after every such step.
void Encoder::update(SyncReason reason, Cycle at) {
    if (program_running_ && (!should_run() || program_ != tracer_settings())) {
        program_running_ = false;
        tracer_->stop(CorrelationEvent::TraceDisabled, at);
    }
    if (running_ && !should_run()) {
        running_ = false;
        sender_.stop(at);
    }
    const bool inhibited = (control_ & control::kInhibitSource) != 0;
    const bool stalls = (control_ & control::kStallEnable) != 0;
    const InstructionTraceSettings program = tracer_settings();
    const bool alone = program.mode == InstructionMode::None; // else the tracer synchronises
    sender_.configure({.source_bits = inhibited ? 0 : config_.source_bits,
                       .when_full = stalls ? FullFifo::StallHart : FullFifo::DropMessage,
                       .most_relative = alone ? program.sync_messages : 0});
    if (!running_ && should_run()) {
        running_ = true;
        sender_.start();
    }
    start_program_trace(reason, at);
}

void Encoder::start_program_trace(SyncReason reason, Cycle at) {
    const InstructionTraceSettings settings = tracer_settings();
    if (!running_ || program_running_ || settings.mode == InstructionMode::None) {
        return;
    }
    program_running_ = true;
    program_ = settings;
    tracer_->configure(settings);
    tracer_->start(reason, at);
}

// ------------------------------------------------------------------------------------------------
// Stimuli

// teInstrumentation chooses which stimuli send, and what.
std::optional<TraceMessage> Encoder::to_message(const StimulusWrite& write) const {
    namespace mode = trace_map::instrumentation;
    const bool owner = write.stimulus == trace_map::kOwnershipStimulusLow ||
                       write.stimulus == trace_map::kOwnershipStimulusHigh;
    switch (field(control::kInstrumentationShift, control::kInstrumentationMask)) {
    case mode::kStimuli:
        return trace::to_message(write);
    case mode::kOwnership:
    case mode::kBoth:
        if (owner) {
            return make_message(MessageCode::Ownership).set(Field::Process, write.value);
        }
        if (field(control::kInstrumentationShift, control::kInstrumentationMask) == mode::kBoth) {
            return trace::to_message(write);
        }
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

void Encoder::store(const StimulusWrite& write, Cycle at) {
    if (!running_ || !bit(itc_trace_enable_, write.stimulus)) {
        return;
    }
    const std::optional<TraceMessage> message = to_message(write);
    if (!message) {
        return;
    }
    const MessageSender::Instrumented result = sender_.instrument(*message, at);
    if (result == MessageSender::Instrumented::Resumed && program_running_) {
        tracer_->synchronise(SyncReason::FifoOverrun, at);
    }
}

// ------------------------------------------------------------------------------------------------
// Triggers, PC sampling

void Encoder::trigger(unsigned input, Cycle at) {
    const TriggerAction action = triggers_.action(input);
    if (action == TriggerAction::None) {
        return;
    }
    capture_pc();
    if (!enabled()) {
        return;
    }
    if (action == TriggerAction::RecordSync) {
        record_trigger(input, at);
        return;
    }
    const bool starts = action == TriggerAction::Start;
    control_ = starts ? control_ | control::kTracing : control_ & ~control::kTracing;
    update(SyncReason::ExternalTrigger, at);
}

void Encoder::record_trigger(unsigned input, Cycle at) {
    if (!program_running_) {
        return;
    }
    if (program_.mode != InstructionMode::Events) {
        tracer_->synchronise(SyncReason::ExternalTrigger, at);
    } else if ((program_.events & trace_map::event::kExternalTrigger) != 0) {
        tracer_->trigger(input, at);
    }
}

void Encoder::capture_pc() {
    if (pc_sampling_) {
        pc_capture_ = current_pc();
    }
}

std::uint64_t Encoder::sample_pc() {
    pc_sample_ = current_pc();
    return pc_sample_;
}

} // namespace pes::trace
