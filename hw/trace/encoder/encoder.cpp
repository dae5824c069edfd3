// SPDX-License-Identifier: Apache-2.0
// Start and stop of the trace, stimuli and triggers. What software reads and writes is described in
// encoder_registers.cpp, sifive_registers.cpp and standard_registers.cpp.
#include "hw/trace/encoder/encoder.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/encoder/encoder_registers.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace pes::trace {
namespace {

constexpr unsigned kMostHarts = 16; ///< teImpl.hartId has 4 bits

/// What the registers have room for.
struct SourceLimits {
    unsigned sources;
    unsigned bits;
};
constexpr SourceLimits kSiFiveSources{.sources = 16, .bits = 7}; ///< teImpl: srcID has 4 bits
constexpr SourceLimits kStandardSources{.sources = 1U << kMostSourceBits, .bits = kMostSourceBits};

const EncoderConfig& checked(const EncoderConfig& config) {
    const auto refuse = [&](const std::string& what) {
        throw std::invalid_argument(config.name + ": " + what);
    };
    const bool sifive = config.registers == RegisterSet::SiFive;
    const SourceLimits limits = sifive ? kSiFiveSources : kStandardSources;
    if (sifive && config.hart >= kMostHarts) {
        refuse("hart " + std::to_string(config.hart) + ", expected 0 to 15");
    }
    if (config.source_bits > limits.bits) {
        refuse("SRC of " + std::to_string(config.source_bits) + " bits, expected 0 to " +
               std::to_string(limits.bits));
    }
    if (config.source >= limits.sources || (config.source >> config.source_bits) != 0) {
        refuse("source " + std::to_string(config.source) + " does not fit SRC of " +
               std::to_string(config.source_bits) + " bits and 0 to " +
               std::to_string(limits.sources - 1));
    }
    if (config.fifo_bytes < kSmallestFifo) {
        refuse("a FIFO of " + std::to_string(config.fifo_bytes) + " bytes, expected at least " +
               std::to_string(kSmallestFifo));
    }
    if (config.filters > trace_control::filter::kMost ||
        config.comparators > trace_control::comparator::kMost) {
        refuse(std::to_string(config.filters) + " filters and " +
               std::to_string(config.comparators) + " comparators, expected at most 16 and 8");
    }
    return config;
}

bool bit(std::uint32_t word, unsigned n) {
    return ((word >> n) & 1U) != 0;
}

constexpr unsigned low_bits(unsigned value, unsigned bits) {
    return value & ((1U << bits) - 1);
}

bool is_users(const Register& definition) {
    constexpr std::array<std::string_view, 5> kNames{"itcStimulus", "tsLower", "tsUpper",
                                                     "trTsCounterLow", "trTsCounterHigh"};
    return std::ranges::find(kNames, definition.name) != kNames.end();
}

} // namespace

Encoder::Encoder(const EncoderConfig& config, SinkUnit& sink, const TimestampUnit* master)
    : config_(checked(config)), sink_(sink), log_(module_logger(config.name)),
      queue_(config.fifo_bytes), timestamps_({.type = config.timestamp_type,
                                              .bits = config.timestamps.bits,
                                              .dialect = config.timestamps.dialect},
                                             master),
      sender_(queue_, timestamps_, config.timestamps), packets_(sender_, timestamps_) {
    sink_.connect(queue_, *this);
    description_ = config.registers == RegisterSet::SiFive ? sifive_registers(*this, sink_)
                                                           : standard_registers(*this);
    std::vector<Register> registers = description_->describe();
    std::vector<Register> users;
    std::ranges::copy_if(registers, std::back_inserter(users), is_users);
    registers_.emplace(config.name, trace_map::kBlockBytes, std::move(registers));
    stimuli_.emplace(config.name + "_stimuli", trace_map::kBlockBytes, std::move(users));
}

Encoder::~Encoder() = default;

void Encoder::connect(TracedHart* hart) {
    hart_ = hart;
    sender_.connect(hart);
}

// ------------------------------------------------------------------------------------------------
// Control

std::uint32_t Encoder::legal_events() const {
    if (tracer_ == nullptr || packets_only()) {
        return 0;
    }
    return trace_map::event::kAll | (tracer_->has_counters() ? trace_map::event::kCounters : 0);
}

void Encoder::control(bool enable, bool tracing, const EncoderFields& fields, Cycle at) {
    const bool was_enabled = enabled();
    activate();
    enable_ = enable;
    tracing_ = tracing;
    fields_ = fields;
    update(SyncReason::TraceEnable, at);
    if (was_enabled && !enabled()) {
        queue_.flush(at);
    }
}

void Encoder::deactivate(const EncoderFields& fields, Cycle at) {
    active_ = false;
    sender_.reset(at);
    update(SyncReason::TraceEnable, at);
    enable_ = false;
    tracing_ = false;
    fields_ = fields;
    triggers_.reset();
    itc_trace_enable_ = 0;
    pc_sampling_ = false;
    pc_capture_ = 0;
    pc_sample_ = 0;
    message_base_ = sender_.counts().messages;
}

// The buffer is full: there is no room for messages in flight.
void Encoder::stop_on_wrap(Cycle at) {
    enable_ = false;
    sender_.abandon(at);
    update(SyncReason::TraceEnable, at);
}

// ------------------------------------------------------------------------------------------------
// Start and stop

InstructionTraceSettings Encoder::tracer_settings() const {
    return {.protocol = config_.protocol,
            .mode = fields_.mode,
            .events = fields_.events,
            .sync_messages = fields_.sync_messages,
            .sync_units = fields_.sync_units,
            .sync_cycles = fields_.sync_cycles,
            .options = fields_.options,
            .dialect = config_.timestamps.dialect,
            .etrace = fields_.etrace};
}

bool Encoder::tracer_changes() const {
    return program_ != tracer_settings() || program_filters_ != fields_.filters;
}

// Brings tracer and sender in line with the registers. Sending may block this process while others
// write registers, so conditions are checked again after every such step.
void Encoder::update(SyncReason reason, Cycle at) {
    if (program_running_ && (!should_run() || tracer_changes())) {
        program_running_ = false;
        tracer_->stop(CorrelationEvent::TraceDisabled, at);
    }
    if (running_ && !should_run()) {
        running_ = false;
        sender_.stop(at);
    }
    const unsigned source_bits = fields_.inhibit_source ? 0 : fields_.source_bits;
    const InstructionTraceSettings program = tracer_settings();
    const bool alone = program.mode == InstructionMode::None; // else the tracer synchronises
    const unsigned source = low_bits(fields_.source, source_bits);
    sender_.configure({.source = source,
                       .source_bits = source_bits,
                       .when_full = fields_.stall ? FullFifo::StallHart : FullFifo::DropMessage,
                       .most_relative = alone ? program.sync_messages : 0,
                       .addresses = fields_.addresses});
    packets_.configure(
        {.source_bits = source_bits, .timestamp_bytes = (config_.timestamps.bits + 7) / 8}, source);
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
    program_filters_ = fields_.filters;
    tracer_->configure(settings);
    tracer_->set_filters(program_filters_);
    tracer_->start(reason, at);
}

// ------------------------------------------------------------------------------------------------
// Stimuli

void Encoder::write_stimulus(unsigned stimulus, unsigned bytes, std::uint64_t value, Cycle at) {
    store({.stimulus = stimulus, .bytes = bytes, .value = static_cast<std::uint32_t>(value)}, at);
}

std::optional<TraceMessage> Encoder::to_message(const StimulusWrite& write) const {
    const bool owner = write.stimulus == trace_map::kOwnershipStimulusLow ||
                       write.stimulus == trace_map::kOwnershipStimulusHigh;
    switch (fields_.instrumentation) {
    case Instrumentation::None:
        return std::nullopt;
    case Instrumentation::Stimuli:
        return trace::to_message(write);
    case Instrumentation::Ownership:
    case Instrumentation::Both:
        if (owner) {
            return make_message(MessageCode::Ownership).set(Field::Process, write.value);
        }
        if (fields_.instrumentation == Instrumentation::Both) {
            return trace::to_message(write);
        }
        return std::nullopt;
    }
    return std::nullopt;
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
    if (!fields_.triggers) {
        return;
    }
    tracing_ = action == TriggerAction::Start;
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
