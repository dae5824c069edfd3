// SPDX-License-Identifier: Apache-2.0
// Event trace and periodic PC samples as InCircuitTrace messages (teInstruction 1). Each event
// carries an address, most a value too; docs/trace-format.md has the table. Behind each comes a
// message of counters, if that is asked for.
#pragma once

#include "hw/common/retirement.h"
#include "hw/interface/riscv/instruction_class.h"
#include "hw/trace/counter_source.h"
#include "hw/trace/instruction_tracer.h"
#include "hw/trace/program/tracer_output.h"

namespace pes::trace {

class EventTracer {
  public:
    /// `counters` may be null.
    explicit EventTracer(TracerOutput& output, CounterSource* counters)
        : output_(output), counters_(counters) {}

    void configure(const InstructionTraceSettings& settings) { settings_ = settings; }
    void start(SyncReason reason, Cycle at);
    void stop(CorrelationEvent reason, Cycle at);
    void synchronise() { sync_ = true; }
    void trigger(unsigned input, Cycle at);

    void retired(const Retirement& retirement) {
        if (state_ != State::Running) [[unlikely]] {
            if (!begin(retirement.pc, retirement.privilege, retirement.cycle)) {
                next_pc_ = retirement.next_pc;
                return;
            }
        }
        if (retirement.privilege != privilege_) [[unlikely]] {
            enter(retirement.privilege, retirement.pc, retirement.cycle);
        }
        next_pc_ = retirement.next_pc;
        if (may_leave_sequence(retirement.raw)) {
            follow(classify_flow(retirement.raw), retirement.pc, retirement.next_pc,
                   retirement.cycle);
        }
        units_ += retirement.length / 2U;
        if (units_ >= settings_.sync_units && settings_.sync_units != 0) [[unlikely]] {
            units_ %= settings_.sync_units;
            sample(retirement.pc, retirement.cycle);
        }
    }
    /// Messages, as MessagePort::room(), and the blocks for which so many suffice.
    std::size_t room(Cycle at) {
        constexpr unsigned kValueBits = 64;
        return output_.room(at, slices(kAddressFieldBits) + slices(kValueBits));
    }
    std::size_t blocks_within(std::size_t messages) const;
    void retired_blocks(std::span<const RetiredBlock> blocks);
    void trapped(const TrapTaken& trap);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    enum class State : std::uint8_t { Stopped, Waiting, Running };

    /// As SiFive's encoder does it: one in so many messages has a full address.
    static constexpr std::uint64_t kMostRelative = 255;

    struct Event {
        EventSource source;
        Address address;
        std::optional<std::uint64_t> data;
    };

    bool enabled(std::uint32_t bit) const { return (settings_.events & bit) != 0; }
    bool begin(Address pc, Privilege privilege, Cycle at);
    void enter(Privilege privilege, Address pc, Cycle at);
    void each_retired(const RetiredBlock& block);
    void follow(const InstructionFlow& flow, Address pc, Address next_pc, Cycle at);
    void sample(Address pc, Cycle at);
    bool absolute_due() const;
    bool send(const Event& event, Cycle at);
    bool send_counters(Cycle at);
    bool sent(SendResult result);

    TracerOutput& output_;
    CounterSource* counters_;
    std::array<std::uint64_t, kEventCounters> told_{}; ///< counters at the last message of them
    InstructionTraceSettings settings_;
    State state_ = State::Stopped;
    ControlCode code_ = ControlCode::TraceOn; ///< of the message that begins
    Cycle from_ = 0;                          ///< instructions up to this cycle do not begin
    bool sync_ = false;                       ///< the next message is to be an absolute one
    Address next_pc_ = 0;
    Privilege privilege_ = Privilege::Machine;
    std::uint64_t units_ = 0; ///< since the last sample
};

} // namespace pes::trace
