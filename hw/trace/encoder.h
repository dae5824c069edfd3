// SPDX-License-Identifier: Apache-2.0
// The trace encoder of one hart: its register block, instrumentation stimuli, triggers, and the way
// of messages into its FIFO. The register map is SiFive's (hw/common/maps/trace.h); every field,
// reset value and rule is in docs/trace-hardware.md.
//
// Timing: a register write holds for the cycles after it. A store to a stimulus is a message in the
// cycle of the store; it carries the time of that cycle, unless the encoder has to put messages of
// its own before it, which take a cycle each. A message is ready for the sink in the cycle that it
// was made for.
#pragma once

#include "hw/common/register_block.h"
#include "hw/trace/instruction_tracer.h"
#include "hw/trace/message_queue.h"
#include "hw/trace/message_sender.h"
#include "hw/trace/sink_unit.h"
#include "hw/trace/timestamp_unit.h"
#include "hw/trace/traced_hart.h"
#include "hw/trace/trigger_unit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pes::trace {

struct EncoderConfig {
    std::string name = "encoder"; ///< of the register block and its logger
    unsigned hart = 0;            ///< teImpl.hartId, 0 to 15
    unsigned source = 0;          ///< SRC of its messages
    unsigned source_bits = 0;     ///< 0 (no SRC) to 4, what teImpl.srcID holds
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

    /// Before the run. Without a hart a full FIFO loses messages even if stalling is enabled, and
    /// the PC registers are never valid; without a tracer teInstruction is always 0.
    void connect(TracedHart* hart);
    void connect(InstructionTracer* tracer);
    void connect(TriggerOutputs* outputs);

    /// Where the instruction tracer sends to.
    MessagePort& port() { return sender_; }
    /// Where a funnel pulls from. The own sink unit is already connected to it.
    MessageSource& messages() { return queue_; }
    const TimestampUnit& timestamps() const { return timestamps_; }

    /// A pulse on external trigger input 0 to 7; a match of watchpoint 0 to 7 of the hart.
    void trigger(unsigned input, Cycle at);
    void watchpoint(unsigned id, Cycle at);

    /// For the run summary: what was sent, lost, stalled.
    const SenderCounts& counts() const { return sender_.counts(); }
    bool tracing() const;
};

} // namespace pes::trace
