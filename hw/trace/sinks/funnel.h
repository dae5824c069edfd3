// SPDX-License-Identifier: Apache-2.0
// The trace funnel: messages of several encoders, or of other funnels, into one stream, with its
// own registers and timestamp unit. With SiFive's registers it has sinks of its own; with those of
// the Trace Control Interface 1.0 its one output is a RAM sink or another funnel, and single inputs
// can be disabled.
//
// It holds no messages. Whenever its sink can take one, it takes the oldest of the next input that
// has any, in turn: no input waits longer than one message of each of the others. SRC, which the
// encoders put into their messages, tells them apart. A message of an input passes as long as the
// funnel, and the input, is enabled in the cycle in which the message is ready; otherwise it is
// dropped and counted, so that no hart waits for a funnel that is off.
#pragma once

#include "hw/common/register_block.h"
#include "hw/trace/encoder/timestamp_unit.h"
#include "hw/trace/message_source.h"
#include "hw/trace/register_set.h"
#include "hw/trace/sink_unit.h"

#include <deque>
#include <string>

namespace pes::trace {

struct FunnelConfig {
    std::string name = "funnel"; ///< of the register block and its logger
    RegisterSet registers = RegisterSet::SiFive;
    unsigned timestamp_bits = kSiFiveTimestampBits;
    TimestampType timestamp_type = TimestampType::InternalBus;
};

class Funnel final : public MessageSource, private SinkOwner {
  public:
    /// `master`: of a timestamp unit of type Slave, else null. Sink and master outlive the funnel.
    Funnel(const FunnelConfig& config, SinkUnit& sink, const TimestampUnit* master = nullptr);

    /// Before the run; the source's listener is to be the answer.
    MessageListener& add_input(MessageSource& source);

    /// The whole 4 KiB block; SiFive's has the registers of the sink unit.
    RegisterBlock& registers() { return registers_; }
    const TimestampUnit& timestamps() const { return timestamps_; }

    /// Messages that came while the funnel or their input was off.
    std::uint64_t dropped() const { return dropped_; }

    void state(Archive& archive); ///< of a checkpoint

    // MessageSource
    bool pull(PackedMessage& message, Cycle at) override;
    bool empty() const override;
    void set_listener(MessageListener* listener) override { listener_ = listener; }
    const MessageListener* listener() const override { return listener_; }

  private:
    class Input final : public MessageListener {
      public:
        Input(Funnel& owner, MessageSource& source) : owner_(owner), source_(source) {}
        void message_ready(std::size_t bytes, Cycle at) override;
        void flush(Cycle at) override;
        bool pull(PackedMessage& message, Cycle at);
        // A source that has selected a sink of its own sends nothing here.
        bool empty() const { return !connected() || source_.empty(); }
        bool disabled() const { return disabled_; }
        void disable(bool off, Cycle at);
        void state(Archive& archive);

      private:
        bool connected() const { return source_.listener() == this; }

        Funnel& owner_;
        MessageSource& source_;
        bool disabled_ = false;
        Cycle disabled_at_ = 0; ///< later messages are dropped
    };

    std::vector<Register> sifive_registers();
    std::uint32_t read_sifive() const;
    std::uint32_t sifive_implementation() const;
    void write_sifive(std::uint32_t value, Cycle at);
    std::vector<Register> standard_registers();
    std::uint32_t read_standard() const;
    std::uint32_t standard_implementation() const;
    void write_standard(std::uint32_t value, Cycle at);
    std::uint32_t disabled_inputs() const;
    void disable_inputs(std::uint32_t value, Cycle at);
    void enable(bool on, Cycle at);
    void deactivate(Cycle at);
    bool take_turn(PackedMessage& message, Cycle at);
    void stop_on_wrap(Cycle at) override;

    const FunnelConfig config_;
    SinkUnit& sink_;
    TimestampUnit timestamps_;
    std::deque<Input> inputs_; ///< addresses are handed out
    std::size_t next_ = 0;     ///< input whose turn it is
    MessageListener* listener_ = nullptr;
    bool active_ = false;
    bool enable_ = false;
    bool stop_on_wrap_ = false;   ///< SiFive
    std::uint32_t sink_code_ = 0; ///< SiFive
    Cycle disabled_at_ = 0;       ///< while not enabled: later messages are dropped
    std::uint64_t dropped_ = 0;
    RegisterBlock registers_; ///< last: its description refers to the members above
};

} // namespace pes::trace
