// SPDX-License-Identifier: Apache-2.0
// The trace encoder of one hart: register block, instrumentation stimuli, triggers and the FIFO of
// messages. The register map is SiFive's (hw/interface/maps/trace.h); fields, reset values and
// rules are in docs/trace-hardware.md.
//
// Timing: a register write takes effect in the next cycle. A store to a stimulus becomes a message
// in the cycle of the store. The message carries the time of that cycle, unless the encoder must
// insert its own messages before it, which take a cycle each. A message is ready for the sink in
// the cycle for which it was made.
#pragma once

#include "hw/common/register_block.h"
#include "hw/interface/trace/stimulus.h"
#include "hw/trace/encoder/message_queue.h"
#include "hw/trace/encoder/message_sender.h"
#include "hw/trace/encoder/timestamp_unit.h"
#include "hw/trace/encoder/trigger_unit.h"
#include "hw/trace/instruction_tracer.h"
#include "hw/trace/sink_unit.h"
#include "hw/trace/traced_hart.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes::trace {

struct EncoderConfig {
    std::string name = "encoder"; ///< of the register block and its logger
    unsigned hart = 0;            ///< teImpl.hartId, 0 to 15
    unsigned source = 0;          ///< SRC of its messages
    unsigned source_bits = 0;     ///< 0 (no SRC) to 7; teImpl.srcID has room for sources 0 to 15
    std::size_t fifo_bytes = 256; ///< at least kSmallestFifo
    /// Dialect and counter width of the timestamps.
    TimestampFormat timestamps{};
    TimestampType timestamp_type = TimestampType::InternalCore;
};

class Encoder final : private SinkOwner {
  public:
    /// `master`: of a timestamp unit of type Slave, else null. Sink and master outlive the encoder.
    /// Throws std::invalid_argument on a configuration outside the ranges above.
    Encoder(const EncoderConfig& config, SinkUnit& sink, const TimestampUnit* master = nullptr);
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// The whole 4 KiB block, with the registers of the sink unit.
    RegisterBlock& registers() { return registers_; }

    /// Call before the run. Without a hart, teStallEnable and pcsControl are always 0; without a
    /// tracer, teInstruction and evControl.
    void connect(TracedHart* hart);
    void connect(InstructionTracer* tracer) { tracer_ = tracer; }

    /// The port for the messages of the instruction tracer.
    MessagePort& port() { return sender_; }
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

  private:
    std::vector<Register> describe();
    std::vector<Register> describe_open();
    std::vector<Register> describe_gated();
    Register gated(Register definition);

    std::uint32_t read_control() const;
    std::uint32_t implementation() const;
    void write_control(std::uint32_t value, Cycle at);
    void set_events(std::uint32_t value, Cycle at);
    std::uint64_t fifo_level() const { return queue_.used(); }
    std::uint32_t message_count() const;
    std::uint32_t stimulus_room(unsigned stimulus, Cycle at) const;
    void write_stimulus(unsigned stimulus, unsigned bytes, std::uint64_t value, Cycle at);
    void set_pc_sampling(std::uint32_t value);
    std::uint32_t legal_control(std::uint32_t value, Cycle at);
    std::uint32_t reset_control(Cycle at);
    void deactivate(Cycle at);
    void stop_on_wrap(Cycle at) override;

    bool enabled() const;
    bool should_run() const;
    std::uint32_t field(unsigned shift, std::uint32_t mask) const;
    InstructionTraceSettings tracer_settings() const;
    std::uint32_t legal_events() const;
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
    std::shared_ptr<spdlog::logger> log_;

    MessageQueue queue_;
    TimestampUnit timestamps_;
    MessageSender sender_;
    TriggerUnit triggers_;

    bool active_ = false;
    bool running_ = false;         ///< messages are accepted
    bool program_running_ = false; ///< the tracer has been started, with `program_`
    InstructionTraceSettings program_;
    std::uint32_t control_ = 0; ///< teControl: the fields that software writes
    std::uint32_t events_ = 0;
    std::uint32_t itc_trace_enable_ = 0;
    bool pc_sampling_ = false;
    std::uint64_t pc_capture_ = 0; ///< bit 0: valid
    std::uint64_t pc_sample_ = 0;
    std::uint64_t message_base_ = 0; ///< counts().messages when teBtmCount was 0

    RegisterBlock registers_;
};

} // namespace pes::trace
