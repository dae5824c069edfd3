// SPDX-License-Identifier: Apache-2.0
// Performance records from the host side: the records that the trace performance library writes at
// calls, returns and timer interrupts (docs/trace-performance-library.md), without any code in the
// guest. They go into the trace through the stimulus that the library uses, in the cycle in which
// the instruction retires or the timer interrupt would find it.
#pragma once

#include "hw/hpm/host_counters.h"
#include "hw/interface/trace/perf_record.h"
#include "hw/trace/encoder/encoder.h"
#include "platform/soc/hart_tap.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pes {

struct RecordPlan {
    struct Counter {
        unsigned number = 0; ///< 0 cycles, 2 instret, from 3 on: as the library numbers them
        std::uint64_t selector = 0;
        EventMask sources{};
    };
    std::vector<Counter> counters; ///< by number
    Cycle timer = 0;               ///< cycles between two timer records; 0: calls and returns
};

class HostRecords final : public HartTap,
                          private CrossingSink,
                          private SightSink,
                          private HartObserver {
  public:
    explicit HostRecords(RecordPlan plan) : plan_(std::move(plan)) {}

    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;
    /// Before the run: the hart's encoder.
    void connect(trace::Encoder& encoder) { encoder_ = &encoder; }

    std::uint64_t written() const { return written_; }

  private:
    using Kind = perf_record::RecordKind;

    struct Function {
        Address start = 0;
        Address returns_to = 0;
        Address caller = 0; ///< second address of its records
    };
    /// Where perf_record.h writes to.
    struct Stimulus {
        trace::Encoder& encoder;
        Cycle at;

        void word(std::uint32_t value);
        void half(std::uint16_t value);
        void byte(std::uint8_t value);
        void store(unsigned bytes, std::uint32_t value);
    };

    void crossed(const Crossing& crossing) override;
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override;
    void retired(const Retirement& retirement) override;

    void enter(const Retirement& call);
    void leave(const Retirement& ret);
    std::vector<std::uint64_t> values() const;
    void write(Kind kind, Address address, Address caller, const std::vector<std::uint64_t>& values,
               Cycle at);
    void write_header(Cycle at);

    const RecordPlan plan_;
    std::optional<HostCounters> counters_;
    Hart* hart_ = nullptr;
    trace::Encoder* encoder_ = nullptr;
    std::vector<Function> functions_;               ///< that the hart is in, the innermost last
    std::vector<std::vector<std::uint64_t>> ticks_; ///< values at each timer tick, by tag
    std::uint64_t written_ = 0;
};

} // namespace pes
