// SPDX-License-Identifier: Apache-2.0
// The trace stack of one or two harts without SystemC: tracers, encoders, a funnel and a sink as
// they are, fed with random programs and random stimulus writes. What went in, and what an encoder
// says that it took, is written down; the bytes that arrive are the sink's.
#pragma once

#include "hw/interface/trace/stimulus.h"
#include "hw/trace/encoder/encoder.h"
#include "hw/trace/program/program_tracer.h"
#include "hw/trace/sinks/funnel.h"
#include "hw/trace/sinks/trace_sink.h"
#include "tests/unit/trace/random_program.h"
#include "tests/unit/trace/sink_bench.h"

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace pes::trace::test {

/// What the way to the end of the stream is short of.
enum class Pressure : std::uint8_t {
    Plain,    ///< nothing
    Wrap,     ///< a circular buffer that is too small
    Overflow, ///< a FIFO that is too small: messages are dropped
    Stall,    ///< the same, but the hart is held
};

struct StackConfig {
    InstructionMode mode = InstructionMode::Branches;
    TimestampDialect dialect = TimestampDialect::SiFive;
    unsigned harts = 1; ///< two: through a funnel
    bool sources = false;
    Pressure pressure = Pressure::Plain;
    std::uint64_t seed = 0;
};

/// A store that went into the encoder.
struct TracedWrite {
    StimulusWrite write;
    Cycle cycle = 0;
    bool accepted = false;
};

/// A performance record as software wrote it.
struct TracedRecord {
    std::uint64_t address = 0;
    std::vector<std::uint64_t> values;
    std::size_t first = 0; ///< of its writes, by their numbers
    std::size_t last = 0;
};

/// A stretch of the instruction stream from the first message of a trace, or the first one with an
/// address behind a loss, to the next loss.
struct TracedPiece {
    SyncReason reason = SyncReason::TraceEnable;
    std::size_t first = 0; ///< instruction or trap
    std::size_t told = 0;  ///< behind the last one that a message tells for certain
};

/// A period of loss, as what was refused in it has to be told.
struct TracedLoss {
    std::uint64_t kinds = 0; ///< ECODE of N-Trace: bit 2 program trace, 3 ownership, 7 stimuli
    std::uint64_t messages = 0;
    bool synchronisation = false; ///< a message that would have ended it was refused too
};

/// What one hart did.
struct Truth {
    std::vector<Address> flow; ///< instructions; inverted: a trap in front of that one
    std::vector<Cycle> cycles; ///< of `flow`, all different
    std::vector<TracedWrite> writes;
    std::vector<TracedRecord> records;
    std::vector<std::size_t> headers; ///< numbers of the writes that begin one
    std::vector<TracedPiece> pieces;
    std::vector<TracedLoss> losses;
    Cycle stopped = 0;
    bool ended = false; ///< the message that ends the program trace was taken
};

class TraceStack {
  public:
    explicit TraceStack(const StackConfig& config);
    ~TraceStack();

    /// Lets all harts do this much, then ends the traces and writes out what is left.
    void run(std::size_t turns);

    /// The stream, oldest byte first.
    std::string bytes();
    bool wrapped();

    const Truth& truth(unsigned hart) const;
    const SenderCounts& counts(unsigned hart) const;
    const std::map<Address, std::uint32_t>& code() const { return program_.code(); }
    TimestampFormat timestamps() const { return timestamps_; }
    /// What a timestamp says of a cycle.
    std::uint64_t time(Cycle cycle) const { return cycle >> (2 * prescale_); }
    unsigned source_bits() const { return inhibited_ ? 0 : source_bits_; }
    std::uint16_t source(unsigned hart) const;
    /// Of the performance records of a hart.
    static unsigned record_stimulus(unsigned hart) { return 6 + 16 * hart; }
    /// Of DirectBranch and ResourceFull too.
    bool traces_all_branch_times() const { return all_branch_times_; }

  private:
    struct Lane;

    SinkConfig sink_config();
    void build_lanes();
    void set_up_sink(RegisterBlock& block);
    void set_up(Lane& lane);
    void stop();
    void settle();
    Lane* next_lane();
    void take_turn(Lane& lane);
    void retire(Lane& lane);
    void store(Lane& lane);
    void plan_writes(Lane& lane);
    void plan_record(Lane& lane);
    void serve_next();
    void run_to(Cycle cycle);
    Cycle wait_for_pull(Lane& lane, Cycle at);
    std::uint64_t pick(std::uint64_t below) { return random_() % below; }
    bool chance(unsigned percent) { return pick(100) < percent; }

    const StackConfig config_;
    std::mt19937_64 random_;
    RandomProgram program_;
    TimestampFormat timestamps_;
    unsigned prescale_ = 0;
    unsigned source_bits_ = 0;
    bool inhibited_ = false;
    bool all_branch_times_ = false;

    FakeClock clock_;
    FakeClock no_clock_; ///< of the encoders' sinks, if there is a funnel: never served
    FakeMemory memory_;
    Cycle now_ = 0;
    std::unique_ptr<TraceSink> sink_;
    std::unique_ptr<Funnel> funnel_;
    std::deque<Lane> lanes_;
};

} // namespace pes::trace::test
