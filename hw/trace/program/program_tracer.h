// SPDX-License-Identifier: Apache-2.0
// The instruction side of a trace encoder: watches a hart's retirement stream and sends messages.
// Its owner attaches it to the hart while trace is on, so that a hart that is not traced does not
// know about it.
#pragma once

#include "hw/trace/program/etrace/packet_tracer.h"
#include "hw/trace/program/event_tracer.h"
#include "hw/trace/program/filter_unit.h"
#include "hw/trace/program/flow_tracer.h"

namespace pes::trace {

class ProgramTracer final : public InstructionTracer, public HartObserver {
  public:
    /// `counters` may be null: events come without them. Without `packets` there is no E-Trace.
    explicit ProgramTracer(MessagePort& port, CounterSource* counters = nullptr,
                           PacketPort* packets = nullptr)
        : output_(port), counters_(counters) {
        if (packets != nullptr) {
            packets_.emplace(*packets);
        }
    }

    bool has_counters() const override { return counters_ != nullptr; }

    void configure(const InstructionTraceSettings& settings) override;
    void set_filters(const TraceFilters& filters) override;
    void start(SyncReason reason, Cycle at) override;
    void stop(CorrelationEvent reason, Cycle at) override;
    void synchronise(SyncReason reason, Cycle at) override;
    void trigger(unsigned input, Cycle at) override;

    void retired(const Retirement& retirement) override {
        if (kind_ == Kind::Flow) {
            flow_.retired(retirement);
        } else if (kind_ == Kind::Events) {
            events_.retired(retirement);
        } else if (kind_ == Kind::Packets) {
            packets_->retired(retirement);
        } else if (kind_ == Kind::Filtered) {
            filter(retirement);
        }
    }
    void trapped(const TrapTaken& trap) override;
    std::size_t blocks_ahead(Cycle at) override;
    void retired_blocks(std::span<const RetiredBlock> blocks) override;

    /// Whether what it sends can neither hold the hart, as long as there is room, nor move kernel
    /// time.
    enum class Blocks : std::uint8_t { Refused, Allowed };
    void take(Blocks blocks) { blocks_ = blocks; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// Filtered: an instruction goes to a tracer of kind `behind_` if a filter matches.
    enum class Kind : std::uint8_t { None, Events, Flow, Packets, Filtered };

    void put_filter_in_front();
    void start(Kind kind, SyncReason reason, Cycle at);
    void end_stretch(Cycle at);
    void filter(const Retirement& retirement);
    void filter(const TrapTaken& trap);
    void report_watchpoint(Cycle at);

    Kind kind_ = Kind::None;
    Blocks blocks_ = Blocks::Refused;
    TracerOutput output_;
    CounterSource* counters_;
    FlowTracer flow_{output_};
    EventTracer events_{output_, counters_};
    std::optional<etrace::PacketTracer> packets_;

    // With filters the tracer behind them runs from the first instruction of a stretch that they
    // match to its last one.
    FilterUnit filters_;
    Kind behind_ = Kind::None;
    bool wanted_ = false;                         ///< between start() and stop()
    bool passing_ = false;                        ///< the last instruction has been traced
    SyncReason reason_ = SyncReason::TraceEnable; ///< of the next stretch
    Cycle from_ = 0;                              ///< instructions up to this cycle are not seen
    std::uint32_t starts_ = 0;                    ///< tells of one while a message waits for room
};

} // namespace pes::trace
