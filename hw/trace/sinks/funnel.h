// SPDX-License-Identifier: Apache-2.0
// The trace funnel: messages of several encoders, or of other funnels, into one stream, with its
// own registers, timestamp unit and sinks.
//
// It holds no messages. Whenever its sink can take one, it takes the oldest of the next input that
// has any, in turn: no input waits longer than one message of each of the others. SRC, which the
// encoders put into their messages, tells them apart. A message of an input passes as long as the
// funnel is enabled in the cycle in which the message is ready; otherwise it is dropped and
// counted, so that no hart waits for a funnel that is off.
#pragma once

#include "hw/common/register_block.h"
#include "hw/trace/encoder/timestamp_unit.h"
#include "hw/trace/message_source.h"
#include "hw/trace/sink_unit.h"

#include <deque>
#include <string>

namespace pes::trace {

struct FunnelConfig {
    std::string name = "funnel"; ///< of the register block and its logger
    unsigned timestamp_bits = kSiFiveTimestampBits;
    TimestampType timestamp_type = TimestampType::InternalBus;
};

class Funnel final : public MessageSource, private SinkOwner {
  public:
    /// `master`: of a timestamp unit of type Slave, else null. Sink and master outlive the funnel.
    Funnel(const FunnelConfig& config, SinkUnit& sink, const TimestampUnit* master = nullptr);

    /// Before the run; the source's listener is to be the answer.
    MessageListener& add_input(MessageSource& source);

    /// The whole 4 KiB block, with the registers of the sink unit.
    RegisterBlock& registers() { return registers_; }
    const TimestampUnit& timestamps() const { return timestamps_; }

    /// Messages that came while the funnel was off.
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
        // A source that has selected a sink of its own sends nothing here.
        bool pull(PackedMessage& message, Cycle at) {
            return source_.listener() == this && source_.pull(message, at);
        }
        bool empty() const { return source_.listener() != this || source_.empty(); }

      private:
        Funnel& owner_;
        MessageSource& source_;
    };

    std::vector<Register> describe();
    std::uint32_t read_control() const;
    void write_control(std::uint32_t value, Cycle at);
    void enable(bool on, Cycle at);
    std::uint32_t implementation() const;
    bool take_turn(PackedMessage& message, Cycle at);
    void stop_on_wrap(Cycle at) override;

    SinkUnit& sink_;
    TimestampUnit timestamps_;
    std::deque<Input> inputs_; ///< addresses are handed out
    std::size_t next_ = 0;     ///< input whose turn it is
    MessageListener* listener_ = nullptr;
    std::uint32_t control_ = 0; ///< Active, Enable, StopOnWrap
    std::uint32_t sink_code_ = 0;
    Cycle disabled_at_ = 0; ///< while not enabled: later messages are dropped
    std::uint64_t dropped_ = 0;
    RegisterBlock registers_; ///< last: its description refers to the members above
};

} // namespace pes::trace
