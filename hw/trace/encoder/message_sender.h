// SPDX-License-Identifier: Apache-2.0
// Puts the encoder's messages into its FIFO: adds SRC and timestamp, reports lost messages in the
// stream, and holds the hart if stalling is enabled.
//
// It inserts, in this order before a message:
//   * after a loss, an Error message, together with the first synchronising message;
//   * ICT_WS(0,0), which contains only the absolute time, before instrumentation whose timestamp
//     has no reference: at trace start and after a loss. It takes a cycle of its own, so the
//     message after it has the time of the next cycle. In a trace of instrumentation alone it is
//     repeated every so many messages (teSyncMaxBTM), then in the cycle of the message: a reader
//     who missed the start, as with a circular buffer, or lost bytes, learns the time
//     again.
// They enter the FIFO together with the message or not at all.
#pragma once

#include "hw/interface/trace/message_packer.h"
#include "hw/trace/encoder/message_queue.h"
#include "hw/trace/encoder/timestamp_unit.h"
#include "hw/trace/message_port.h"
#include "hw/trace/traced_hart.h"

#include <array>
#include <cstdint>

namespace pes::trace {

/// Two messages of the greatest length (N-Trace 1.0: 38 bytes); bytes.
inline constexpr std::size_t kSmallestFifo = 76;

enum class FullFifo : std::uint8_t { DropMessage, StallHart };

struct SenderSettings {
    unsigned source = 0;      ///< SRC; fits into `source_bits`
    unsigned source_bits = 0; ///< 0 while SRC is inhibited
    FullFifo when_full = FullFifo::DropMessage;
    /// Relative timestamps before instrumentation sends the time itself again; 0: never.
    std::uint64_t most_relative = 0;
    AddressForm addresses = AddressForm::Plain;
};

struct SenderCounts {
    std::uint64_t messages = 0; ///< that went into the FIFO
    std::uint64_t bytes = 0;    ///< of them
    /// Messages that did not, or were discarded by stop-on-wrap. A message that a tracer repeats to
    /// end a period of loss counts once.
    std::uint64_t lost = 0;
    std::uint64_t overflows = 0;     ///< periods of loss
    std::uint64_t stalls = 0;        ///< messages for which the hart was held
    std::uint64_t stall_cycles = 0;  ///< cycles for which it was held
    bool extended_addresses = false; ///< messages were sent in AddressForm::Extended

    bool operator==(const SenderCounts&) const = default;
};

class MessageSender final : public MessagePort {
  public:
    MessageSender(MessageQueue& queue, const TimestampUnit& timestamps, TimestampFormat format);

    void connect(TracedHart* hart) { hart_ = hart; }
    void configure(const SenderSettings& settings) { settings_ = settings; }

    /// Starts a new stream; messages are accepted from now on.
    void start();
    /// Ends the stream after its last message. A loss that is not reported in the stream yet is
    /// reported if there is room.
    void stop(Cycle at);
    /// Discards the FIFO's content at once. A caller that waits for room returns with Lost.
    void abandon(Cycle at);
    /// Active is 0: resets everything except the counts and the settings.
    void reset(Cycle at);

    SendResult send(const TraceMessage& message, Cycle at) override;
    std::size_t room(Cycle at, std::size_t field_slices) override;
    /// Bytes that would not hold the hart if they came in `at` or later.
    std::size_t free_bytes(Cycle at);
    /// Finished packets of another protocol, all or none, ready at `at`. What becomes of a loss is
    /// their sender's business.
    SendResult insert(std::span<const PackedMessage> packets, Cycle at);

    enum class Instrumented : std::uint8_t {
        Sent,
        Lost,
        /// Sent, and it ended a period of loss. An instruction tracer has to synchronise, because
        /// the Error message made its addresses unknown.
        Resumed,
    };
    /// A message of a stimulus. It resumes the stream after a loss by itself.
    Instrumented instrument(const TraceMessage& message, Cycle at);

    /// True if instrument() has room for the longest message of a stimulus.
    bool has_room() const;

    /// teStallOrOverflow.
    bool stalled_or_overflowed() const { return stalled_or_overflowed_; }
    void clear_stalled_or_overflowed() { stalled_or_overflowed_ = false; }

    const SenderCounts& counts() const { return counts_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    enum class Origin : std::uint8_t { Tracer, Stimulus };
    /// What a reader of the stream knows. Updated when the message that changes it is sent.
    struct StreamState {
        TimestampCompressor times;
        bool time_known = false;
        std::uint64_t relative = 0; ///< timestamps since the last absolute one
        bool loss_due = false;      ///< an Error message
        void state(class Archive& archive);
    };
    struct Burst {
        std::array<PackedMessage, 3> messages{}; ///< Error, the time, the message
        std::array<Cycle, 3> times{};
        std::size_t count = 0;
        std::size_t bytes = 0;
    };

    void announce(Cycle at);
    SendResult transmit(const TraceMessage& message, Origin origin, Cycle at);
    bool send_alone(const TraceMessage& message, Origin origin, Cycle at);
    SendResult send_burst(const TraceMessage& message, Origin origin, Cycle at);
    bool make_room(std::size_t bytes, Cycle& from);
    bool stall(std::size_t bytes, Cycle& from);
    void introduce(Burst& burst, Cycle at, StreamState& state) const;
    SendResult lose(const TraceMessage& message, Origin origin);
    void count_loss();
    Burst compose(const TraceMessage& message, Origin origin, Cycle at, StreamState& state) const;
    PackedMessage pack(const TraceMessage& message, bool timestamp, Cycle at,
                       StreamState& state) const;
    void add(Burst& burst, const TraceMessage& message, bool timestamp, Cycle at,
             StreamState& state) const;
    void put(const PackedMessage& message, Cycle time, Cycle from);
    void put(const Burst& burst, Cycle from);
    bool wants_timestamp(MessageCode code) const;
    /// True if an absolute time must precede a timestamp of instrumentation.
    bool time_due(const StreamState& state) const;
    std::uint64_t error_code() const;

    MessageQueue& queue_;
    const TimestampUnit& timestamps_;
    const TimestampFormat format_;
    TracedHart* hart_ = nullptr;

    SenderSettings settings_;
    bool accepting_ = false;
    bool stalled_or_overflowed_ = false;
    std::uint64_t lost_kinds_ = 0; ///< ECODE of N-Trace
    bool losing_ = false;          ///< of insert(): the last packets were lost
    bool resumption_lost_ = false; ///< in this period of loss, a tracer has tried to end it
    StreamState state_;
    Cycle last_ = 0; ///< time of the newest message, which may be ready later
    SenderCounts counts_;
};

} // namespace pes::trace
