// SPDX-License-Identifier: Apache-2.0
// The trace encoder of one hart: start and stop of the trace, instrumentation stimuli, triggers and
// the FIFO of messages. What software reads and writes is described in encoder_registers.h:
// SiFive's registers or those of the Trace Control Interface 1.0, with the same encoder behind
// them. Fields, reset values and rules are in docs/trace-hardware.md and docs/trace-control.md.
//
// Timing: a register write takes effect in the next cycle. A store to a stimulus becomes a message
// in the cycle of the store. The message carries the time of that cycle, unless the encoder must
// insert its own messages before it, which take a cycle each. A message is ready for the sink in
// the cycle for which it was made.
#pragma once

#include "hw/common/logger.h"
#include "hw/common/register_block.h"
#include "hw/interface/trace/stimulus.h"
#include "hw/trace/encoder/message_queue.h"
#include "hw/trace/encoder/message_sender.h"
#include "hw/trace/encoder/packet_sender.h"
#include "hw/trace/encoder/timestamp_unit.h"
#include "hw/trace/encoder/trigger_unit.h"
#include "hw/trace/instruction_tracer.h"
#include "hw/trace/register_set.h"
#include "hw/trace/sink_unit.h"
#include "hw/trace/traced_hart.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes::trace {

class EncoderRegisters;

struct EncoderConfig {
    std::string name = "encoder"; ///< of the register block and its logger
    RegisterSet registers = RegisterSet::SiFive;
    unsigned hart = 0;   ///< teImpl.hartId, 0 to 15
    unsigned source = 0; ///< SRC of its messages; SiFive: 0 to 15
    /// 0 (no SRC) to 7; standard: to 12, and both are the reset values of what software may change.
    unsigned source_bits = 0;
    std::size_t fifo_bytes = 256; ///< at least kSmallestFifo
    /// Dialect and counter width of the timestamps.
    TimestampFormat timestamps{};
    TimestampType timestamp_type = TimestampType::InternalCore;
    Protocol protocol = Protocol::Nexus; ///< E-Trace has no stimuli and no events
    unsigned filters = 4;                ///< standard: 0 to 16
    unsigned comparators = 4;            ///< standard: 0 to 8
};

/// What stimuli send. Values: teInstrumentation.
enum class Instrumentation : std::uint8_t {
    None = 0,
    Stimuli = 1,   ///< all enabled ones, as data acquisition
    Ownership = 2, ///< stimuli 15 and 31 as ownership messages, and nothing else
    Both = 3,
};

/// What software asks of an encoder besides Active, Enable and Tracing.
struct EncoderFields {
    InstructionMode mode = InstructionMode::None;
    Instrumentation instrumentation = Instrumentation::None;
    std::uint32_t events = 0;        ///< trace_map::event bits
    std::uint64_t sync_messages = 0; ///< of InstructionTraceSettings
    std::uint64_t sync_units = 0;
    std::uint64_t sync_cycles = 0;
    FlowOptions options{};
    AddressForm addresses = AddressForm::Plain;
    etrace::Options etrace{};    ///< of E-Trace, in place of `options`
    TraceFilters filters{};      ///< which instructions are traced
    bool stall = false;          ///< a full FIFO holds the hart
    bool inhibit_source = false; ///< no SRC
    bool triggers = true;        ///< trigger inputs may start and stop the trace
    unsigned source = 0;         ///< its low `source_bits` bits are sent
    unsigned source_bits = 0;

    void state(class Archive& archive); ///< of a checkpoint
};

class Encoder final : private SinkOwner {
  public:
    /// `master`: of a timestamp unit of type Slave, else null. Sink and master outlive the encoder.
    /// Throws std::invalid_argument on a configuration outside the ranges above.
    Encoder(const EncoderConfig& config, SinkUnit& sink, const TimestampUnit* master = nullptr);
    ~Encoder() override;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// The whole 4 KiB block; SiFive's has the registers of the sink unit.
    RegisterBlock& registers() { return *registers_; }
    /// What a program in user mode may have, at the same places in a block of its own: the stimuli
    /// and the time. It stores no addresses.
    RegisterBlock& stimuli() { return *stimuli_; }
    /// A store to a stimulus, whatever its address.
    void write_stimulus(unsigned stimulus, unsigned bytes, std::uint64_t value, Cycle at);

    /// Call before the run. Without a hart, nothing stalls and no PC is sampled; without a tracer,
    /// there is no instruction trace.
    void connect(TracedHart* hart);
    void connect(InstructionTracer* tracer) { tracer_ = tracer; }

    /// The port for the messages of the instruction tracer.
    MessagePort& port() { return sender_; }
    PacketPort& packets() { return packets_; }
    /// The source from which a funnel pulls. The encoder's own sink unit is already connected.
    MessageSource& messages() { return queue_; }
    const TimestampUnit& timestamps() const { return timestamps_; }

    /// A pulse on an external trigger input. The calling process may be held: with stalling
    /// enabled, ending a trace can wait for room.
    void trigger(unsigned input, Cycle at);
    TriggerAction trigger_action(unsigned input) const { return triggers_.action(input); }

    /// For the run summary: messages sent and lost, and stalls.
    const SenderCounts& counts() const { return sender_.counts(); }
    bool tracing() const { return running_; }

    /// Of a checkpoint; the instruction tracer is its owner's.
    void state(class Archive& archive);

    // --- For the descriptions of its registers

    bool active() const { return active_; }
    bool enabled() const { return active_ && enable_; }
    bool trace_wanted() const { return tracing_; } ///< the Tracing bit
    const EncoderFields& fields() const { return fields_; }
    const EncoderConfig& config() const { return config_; }
    std::uint32_t events() const { return fields_.events; }
    bool has_hart() const { return hart_ != nullptr; }
    bool has_tracer() const { return tracer_ != nullptr; }
    bool packets_only() const { return config_.protocol == Protocol::ETrace; }
    std::uint32_t legal_events() const; ///< trace_map::event bits that the tracer can report
    bool empty() const { return queue_.empty(); }
    bool stalled_or_overflowed() const { return sender_.stalled_or_overflowed(); }
    void clear_stalled_or_overflowed() { sender_.clear_stalled_or_overflowed(); }

    void activate() { active_ = true; }
    /// Resets everything but the counts; `fields` are those in force afterwards.
    void deactivate(const EncoderFields& fields, Cycle at);
    /// What follows from Enable, Tracing and the fields, when it is active.
    void control(bool enable, bool tracing, const EncoderFields& fields, Cycle at);
    /// Those above and the registers behind them keep what they are.
    void set_events(std::uint32_t value, Cycle at);

    /// Registers that both sets have, at their own places.
    struct Places {
        Address fifo, message_count, events, itc_enable, stimuli, trigger_in;
        Address pc_control, pc_capture_high, pc_capture, pc_sample_high, pc_sample;
        const char* trigger_in_name;
        const char* active_name; ///< of the bit that is 0 in reset
    };
    std::vector<Register> common_registers(const Places& places);
    std::vector<Register> timestamp_registers() { return timestamps_.registers(config_.registers); }

  private:
    std::vector<Register> describe_open(const Places& places);
    std::vector<Register> describe_gated(const Places& places);
    std::uint64_t fifo_level() const { return queue_.used(); }
    std::uint32_t message_count() const;
    std::uint32_t stimulus_room(unsigned stimulus, Cycle at) const;
    void set_pc_sampling(std::uint32_t value);
    void stop_on_wrap(Cycle at) override;

    bool should_run() const { return enabled() && tracing_; }
    InstructionTraceSettings tracer_settings() const;
    bool tracer_changes() const;
    void update(SyncReason reason, Cycle at);
    void start_program_trace(SyncReason reason, Cycle at);

    std::optional<TraceMessage> to_message(const StimulusWrite& write) const;
    void store(const StimulusWrite& write, Cycle at);

    void record_trigger(unsigned input, Cycle at);
    void capture_pc();
    std::uint64_t sample_pc();
    std::uint64_t current_pc() const; ///< bit 0: valid
    std::uint64_t pc_capture_high() const;
    std::uint64_t pc_sample_high() const;

    const EncoderConfig config_;
    SinkUnit& sink_;
    TracedHart* hart_ = nullptr;
    InstructionTracer* tracer_ = nullptr;
    Logger log_;

    MessageQueue queue_;
    TimestampUnit timestamps_;
    MessageSender sender_;
    PacketSender packets_;
    TriggerUnit triggers_;

    bool active_ = false;
    bool enable_ = false;
    bool tracing_ = false;
    EncoderFields fields_;
    bool running_ = false;         ///< messages are accepted
    bool program_running_ = false; ///< the tracer has been started, with the next two
    InstructionTraceSettings program_;
    TraceFilters program_filters_;
    std::uint32_t itc_trace_enable_ = 0;
    bool pc_sampling_ = false;
    std::uint64_t pc_capture_ = 0; ///< bit 0: valid
    std::uint64_t pc_sample_ = 0;
    std::uint64_t message_base_ = 0; ///< counts().messages when the message count was 0

    std::unique_ptr<EncoderRegisters> description_;
    std::optional<RegisterBlock> registers_; ///< last: they refer to the members above
    std::optional<RegisterBlock> stimuli_;
};

} // namespace pes::trace
