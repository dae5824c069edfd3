// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trace/stack/trace_stack.h"

#include "hw/interface/maps/trace.h"
#include "hw/interface/trace/perf_record.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::trace::test {

namespace {

namespace control = trace_map::control;
namespace timestamp = trace_map::timestamp;

constexpr Address kBuffer = 0x4000;
constexpr std::uint32_t kMemoryBytes = 1U << 20;
constexpr std::uint32_t kLargeSram = 1U << 18;
constexpr std::size_t kLargeFifo = 4096;
constexpr Cycle kTurn = 4; ///< at least so many cycles: messages of the encoder's own fit between
constexpr unsigned kRecordEvery = 5;  ///< percent of the turns that begin a record
constexpr std::uint32_t kMask = 0x25; ///< counters of the records
constexpr unsigned kRecordsOfHeader = 12;

/// N-Trace 1.0, ECODE.
constexpr std::uint64_t kProgramTraceLost = 1U << 2;
constexpr std::uint64_t kOwnershipLost = 1U << 3;
constexpr std::uint64_t kVendorLost = 1U << 7;

void write(RegisterBlock& block, Address offset, std::uint32_t value, Cycle at, unsigned size = 4) {
    EXPECT_EQ(block.write(offset, size, value, at), AccessStatus::Ok) << std::hex << offset;
}

std::uint32_t read(RegisterBlock& block, Address offset, Cycle at) {
    std::uint64_t value = 0;
    EXPECT_EQ(block.read(offset, 4, value, at), AccessStatus::Ok) << std::hex << offset;
    return static_cast<std::uint32_t>(value);
}

/// Collects the stores of performance records.
struct WriteList {
    std::deque<StimulusWrite>& to;
    unsigned stimulus;
    void word(std::uint32_t value) { to.push_back({stimulus, 4, value}); }
    void half(std::uint16_t value) { to.push_back({stimulus, 2, value}); }
    void byte(std::uint8_t value) { to.push_back({stimulus, 1, value}); }
};

} // namespace

/// A hart with its encoder. As a message port it stands between tracer and encoder and writes down
/// what is taken; as a traced hart it lets time pass for the encoder.
struct TraceStack::Lane final : MessagePort, TracedHart {
    Lane(TraceStack& owner, unsigned index) : stack(owner), hart(index), tracer(*this) {}

    SendResult send(const TraceMessage& message, Cycle at) override;
    void note_sent(const TraceMessage& message);
    TracedLoss& loss();

    void catch_up(Cycle at) override { stack.run_to(at); }
    Cycle wait_for_pull(Cycle at) override {
        const Cycle pulled = stack.wait_for_pull(*this, at);
        held = pulled == kNever ? held : std::max(held, pulled);
        return pulled;
    }
    void stop_waiting(Cycle) override {}
    Address pc() const override { return 0; }

    TraceStack& stack;
    unsigned hart;
    ProgramTracer tracer;
    std::unique_ptr<TraceSink> link; ///< to the funnel
    std::unique_ptr<Encoder> encoder;
    std::vector<Step> steps;
    std::size_t next = 0;      ///< step
    bool inside = false;       ///< a step of the tracer, whose instruction is the last of the flow
    std::size_t turns = 0;     ///< left
    Cycle cycle = 0;           ///< of the next turn
    Cycle held = 0;            ///< by a full FIFO, up to there
    bool waiting = false;      ///< for room
    bool losing = false;       ///< no message has been taken since the last loss
    std::uint64_t counter = 0; ///< value that the next record counts from
    unsigned records = 0;      ///< since the last header
    std::deque<StimulusWrite> planned;
    Truth truth;
};

TracedLoss& TraceStack::Lane::loss() {
    truth.losses.resize(encoder->counts().overflows);
    losing = true;
    return truth.losses.back();
}

SendResult TraceStack::Lane::send(const TraceMessage& message, Cycle at) {
    const SendResult result = encoder->port().send(message, at);
    if (result == SendResult::Sent) {
        note_sent(message);
        return result;
    }
    TracedLoss& period = loss();
    const bool synchronises = layout_of(message.code).timestamp == TimestampKind::Absolute;
    const bool begins = period.messages == 0;
    if (synchronises && !begins) {
        period.messages += period.synchronisation ? 0 : 1; // what is tried again counts once
        period.synchronisation = true;
    } else {
        ++period.messages;
    }
    period.kinds |= message.code == MessageCode::Ownership ? kOwnershipLost : kProgramTraceLost;
    return result;
}

/// With the first message behind a loss an Error message goes into the stream, so that only one
/// with an address can be read.
void TraceStack::Lane::note_sent(const TraceMessage& message) {
    const auto reason = static_cast<SyncReason>(message.value(Field::SyncReason));
    const bool begins = message.code == MessageCode::ProgramTraceSync &&
                        (reason == SyncReason::TraceEnable || reason == SyncReason::FifoOverrun);
    const std::size_t done = truth.flow.size();
    if (begins) { // in front of the instruction in hand
        const std::size_t first = inside ? done - 1 : done;
        truth.pieces.push_back({reason, first, first});
    } else if (losing) {
        truth.pieces.push_back({reason, done, done});
    } else if (message.has(Field::InstructionCount)) {
        truth.pieces.back().told = done;
    }
    losing = false;
    truth.ended = truth.ended || message.code == MessageCode::ProgramTraceCorrelation;
}

TraceStack::~TraceStack() = default;

TraceStack::TraceStack(const StackConfig& config)
    : config_(config), random_(config.seed), program_(config.seed) {
    constexpr unsigned kWidths[] = {16, kSiFiveTimestampBits, kMostTimestampBits};
    timestamps_ = {config.dialect, kWidths[pick(std::size(kWidths))]};
    prescale_ = static_cast<unsigned>(chance(30) ? 1 : 0);
    all_branch_times_ = chance(50);
    if (config.sources) {
        source_bits_ = static_cast<unsigned>(1 + pick(7));
    } else if (chance(50)) {
        source_bits_ = 2; // there, but left out by teInhibitSrc
        inhibited_ = true;
    }
    sink_ = std::make_unique<TraceSink>("stack", sink_config(), clock_, &memory_, nullptr);
    if (config.harts > 1 || chance(50)) {
        funnel_ =
            std::make_unique<Funnel>(FunnelConfig{.timestamp_bits = timestamps_.bits}, *sink_);
        write(funnel_->registers(), trace_map::kTimestampControl,
              timestamp::kActive | timestamp::kCount | prescale_ << timestamp::kPrescaleShift, 0);
        set_up_sink(funnel_->registers());
        write(funnel_->registers(), trace_map::kControl, control::kActive | control::kEnable, 0);
    }
    build_lanes();
}

SinkConfig TraceStack::sink_config() {
    const bool slow = config_.pressure == Pressure::Overflow || config_.pressure == Pressure::Stall;
    const std::uint32_t word = 4U << pick(4);
    return {.sinks = sinks({slow ? trace_map::sink::kMemory : trace_map::sink::kSram}),
            .word_bytes = word,
            .sram_bytes = config_.pressure == Pressure::Wrap ? 2048 : kLargeSram,
            .burst_bytes = word << pick(3)};
}

/// The encoder's, or that of the funnel.
void TraceStack::set_up_sink(RegisterBlock& block) {
    write(block, trace_map::kSinkBase, kBuffer, 0);
    write(block, trace_map::kSinkLimit, kBuffer + kMemoryBytes - sink_->word_bytes(), 0);
    write(block, trace_map::kSinkWritePointer,
          sink_->selected() == trace_map::sink::kSram ? 0 : kBuffer, 0);
}

void TraceStack::build_lanes() {
    const bool slow = config_.pressure == Pressure::Overflow || config_.pressure == Pressure::Stall;
    for (unsigned hart = 0; hart < config_.harts; ++hart) {
        Lane& lane = lanes_.emplace_back(*this, hart);
        if (funnel_ != nullptr) {
            lane.link = std::make_unique<TraceSink>(
                "link", SinkConfig{.sinks = sinks({trace_map::sink::kFunnel})}, no_clock_, nullptr,
                nullptr);
        }
        lane.encoder = std::make_unique<Encoder>(
            EncoderConfig{.hart = hart,
                          .source = source_bits_ != 0 ? hart : 0,
                          .source_bits = source_bits_,
                          .fifo_bytes = slow ? kSmallestFifo + pick(100) : kLargeFifo,
                          .timestamps = timestamps_,
                          .timestamp_type = funnel_ != nullptr ? TimestampType::Slave
                                                               : TimestampType::InternalCore},
            funnel_ != nullptr ? *lane.link : *sink_,
            funnel_ != nullptr ? &funnel_->timestamps() : nullptr);
        if (funnel_ != nullptr) {
            lane.link->set_funnel(funnel_->add_input(lane.encoder->messages()));
        } else {
            set_up_sink(lane.encoder->registers());
        }
        lane.encoder->connect(&lane);
        lane.encoder->connect(&lane.tracer);
        set_up(lane);
    }
}

void TraceStack::set_up(Lane& lane) {
    RegisterBlock& block = lane.encoder->registers();
    const std::uint32_t branch_times = all_branch_times_ ? 3 : 1;
    write(block, trace_map::kTimestampControl,
          timestamp::kActive | timestamp::kCount | timestamp::kEnable |
              prescale_ << timestamp::kPrescaleShift | branch_times << timestamp::kBranchShift |
              timestamp::kInstrumentation | (chance(50) ? timestamp::kOwnership : 0),
          0);
    write(block, trace_map::kControl, control::kActive, 0);
    write(block, trace_map::kItcTraceEnable, ~0U, 0);
    write(block, trace_map::kEventControl, chance(50) ? trace_map::event::kContext : 0, 0);
    const bool wraps = config_.pressure == Pressure::Wrap; // so it has to synchronise now and then
    const std::uint64_t messages = wraps ? 0 : chance(50) ? pick(3) : control::kSyncNever;
    const std::uint64_t units = chance(50) ? pick(8) : control::kSyncNever;
    write(block, trace_map::kControl,
          control::kActive | control::kEnable | control::kTracing |
              static_cast<std::uint32_t>(config_.mode) << control::kInstructionShift |
              trace_map::instrumentation::kStimuli << control::kInstrumentationShift |
              (config_.pressure == Pressure::Stall ? control::kStallEnable : 0) |
              (inhibited_ ? control::kInhibitSource : 0) |
              static_cast<std::uint32_t>(messages) << control::kSyncMaxMessagesShift |
              static_cast<std::uint32_t>(units) << control::kSyncMaxUnitsShift,
          0);
}

// ------------------------------------------------------------------------------------------------
// Time

void TraceStack::serve_next() {
    now_ = std::max(now_, *clock_.pending);
    clock_.pending.reset();
    if (config_.pressure == Pressure::Overflow || config_.pressure == Pressure::Stall) {
        memory_.latency = pick(600); // of the burst, with a busy bus
    }
    sink_->serve(now_);
}

void TraceStack::run_to(Cycle cycle) {
    while (clock_.pending && *clock_.pending <= cycle) {
        serve_next();
    }
    now_ = std::max(now_, cycle);
}

/// Others go on meanwhile, and may come to wait as well.
Cycle TraceStack::wait_for_pull(Lane& lane, Cycle at) {
    const auto used = [&] { return read(lane.encoder->registers(), trace_map::kFifo, at); };
    const std::uint32_t before = used();
    lane.waiting = true;
    while (used() >= before && clock_.pending) {
        Lane* const other = next_lane();
        if (other != nullptr && other->cycle < *clock_.pending) {
            take_turn(*other);
        } else {
            serve_next();
        }
    }
    lane.waiting = false;
    return used() < before ? std::max(at, now_) : kNever;
}

void TraceStack::settle() {
    while (clock_.pending) {
        serve_next();
    }
}

// ------------------------------------------------------------------------------------------------
// What the harts do

TraceStack::Lane* TraceStack::next_lane() {
    Lane* first = nullptr;
    for (Lane& lane : lanes_) {
        const bool busy = lane.turns != 0 || !lane.planned.empty();
        if (!lane.waiting && busy && (first == nullptr || lane.cycle < first->cycle)) {
            first = &lane;
        }
    }
    return first;
}

void TraceStack::run(std::size_t turns) {
    for (Lane& lane : lanes_) {
        lane.steps = program_.walk(turns);
        lane.turns = turns;
        lane.cycle = 10 + pick(20);
    }
    while (Lane* const lane = next_lane()) {
        take_turn(*lane);
    }
    settle();
    stop();
    settle();
    sink_->drain(now_);
}

void TraceStack::stop() {
    for (Lane& lane : lanes_) {
        now_ = std::max(now_ + kTurn, lane.cycle);
        lane.truth.stopped = now_;
        RegisterBlock& block = lane.encoder->registers();
        write(block, trace_map::kControl,
              read(block, trace_map::kControl, now_) & ~control::kEnable, now_);
    }
}

void TraceStack::take_turn(Lane& lane) {
    const bool stores_only = lane.turns == 0; // what has been begun is finished
    lane.turns -= stores_only ? 0 : 1;
    if (chance(30)) { // now and then the rest of the system is where the hart is
        run_to(lane.cycle);
    }
    if (stores_only || (lane.planned.empty() ? chance(kRecordEvery) : chance(80))) {
        store(lane);
    } else {
        retire(lane);
    }
    lane.cycle = std::max(lane.cycle, lane.held) + kTurn + pick(3) + (chance(2) ? pick(2000) : 0);
}

void TraceStack::retire(Lane& lane) {
    Step step = lane.steps[lane.next++];
    lane.truth.flow.push_back(step.place());
    lane.truth.cycles.push_back(lane.cycle);
    lane.inside = true;
    (step.trap ? step.taken.cycle : step.retirement.cycle) = lane.cycle;
    step.tell(lane.tracer);
    lane.inside = false;
}

void TraceStack::store(Lane& lane) {
    if (lane.planned.empty()) {
        plan_writes(lane);
    }
    const StimulusWrite write = lane.planned.front();
    lane.planned.pop_front();
    const SenderCounts before = lane.encoder->counts();
    const unsigned offset = write.bytes == 4 ? 0 : 4 - write.bytes;
    lane.truth.writes.push_back({write, lane.cycle, false});
    const std::size_t number = lane.truth.writes.size() - 1;
    test::write(lane.encoder->registers(),
                trace_map::kItcStimulus + Address{4} * write.stimulus + offset, write.value,
                lane.cycle, write.bytes);
    // The tracer may lose a message of its own behind a store that ended a loss.
    const bool kept = lane.encoder->counts().messages != before.messages;
    lane.truth.writes[number].accepted = kept;
    if (kept) {
        lane.losing = false;
    } else {
        TracedLoss& period = lane.loss();
        ++period.messages;
        period.kinds |= kVendorLost;
    }
}

/// Stores of any size to any stimulus of this hart, or a performance record.
void TraceStack::plan_writes(Lane& lane) {
    if (chance(50)) {
        plan_record(lane);
        return;
    }
    for (std::uint64_t count = 1 + pick(6); count > 0; --count) {
        auto stimulus = static_cast<unsigned>(pick(16) + std::uint64_t{16} * lane.hart);
        stimulus += stimulus == record_stimulus(lane.hart) ? 1 : 0;
        const unsigned bytes = 1U << pick(3);
        const auto value = static_cast<std::uint32_t>(random_() >> (64 - 8 * bytes));
        lane.planned.push_back({stimulus, bytes, chance(10) ? 0 : value});
    }
}

void TraceStack::plan_record(Lane& lane) {
    using namespace perf_record;
    WriteList to{lane.planned, record_stimulus(lane.hart)};
    const std::size_t next = lane.truth.writes.size();
    if (lane.records++ % kRecordsOfHeader == 0) {
        lane.truth.headers.push_back(next);
        write_header(to, CountType::Raw, kMask);
        for (unsigned counter = 0; counter < kMostCounters; ++counter) {
            if ((kMask >> counter & 1) != 0) {
                write_definition(to, EventType::General, counter, {0xC00 + counter, 64});
            }
        }
    }
    TracedRecord record{.address = (random_() >> (chance(50) ? 1 : 33)) << 1,
                        .values = {},
                        .first = next + lane.planned.size(),
                        .last = 0};
    write_kind(to, RecordKind::Manual);
    write_address(to, record.address);
    for (std::uint32_t mask = kMask; mask != 0; mask &= mask - 1) {
        record.values.push_back(lane.counter += random_() >> (chance(20) ? 24 : 40));
        lane.counter &= (std::uint64_t{1} << kMostValueBits) - 1;
        record.values.back() = lane.counter;
        write_value(to, lane.counter);
    }
    record.last = next + lane.planned.size() - 1;
    lane.truth.records.push_back(record);
}

// ------------------------------------------------------------------------------------------------
// What came out

const Truth& TraceStack::truth(unsigned hart) const {
    return lanes_[hart].truth;
}

const SenderCounts& TraceStack::counts(unsigned hart) const {
    return lanes_[hart].encoder->counts();
}

std::uint16_t TraceStack::source(unsigned hart) const {
    return static_cast<std::uint16_t>(source_bits() != 0 ? hart : 0);
}

bool TraceStack::wrapped() {
    RegisterBlock& block =
        funnel_ != nullptr ? funnel_->registers() : lanes_.front().encoder->registers();
    return (read(block, trace_map::kSinkWritePointer, now_) & trace_map::kWrapped) != 0;
}

std::string TraceStack::bytes() {
    const auto end = static_cast<std::size_t>(sink_->write_address());
    if (sink_->selected() == trace_map::sink::kMemory) {
        const Bytes list = memory_.at(kBuffer, end - kBuffer);
        return {list.begin(), list.end()};
    }
    const std::span<const std::uint8_t> sram = sink_->sram();
    std::string list;
    if (wrapped()) {
        list.assign(sram.begin() + static_cast<std::ptrdiff_t>(end), sram.end());
    }
    list.append(sram.begin(), sram.begin() + static_cast<std::ptrdiff_t>(end));
    return list;
}

} // namespace pes::trace::test
