// SPDX-License-Identifier: Apache-2.0
// From the messages of a tracer through their bytes to what the decoder's flow tells.
#pragma once

#include "decoder/trace/flow/flow.h"
#include "tests/unit/decoder/trace/trace_bytes.h"
#include "tests/unit/trace/recording_port.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace pes::trace::test {

/// Instructions and traps as the flow tells them.
class ExecutedFlow final : public FlowSink {
  public:
    explicit ExecutedFlow(const ProgramImage& image) : image_(image) {}

    void ran(const InstructionRun& run) override {
        Address pc = run.begin;
        for (std::uint32_t i = 0; i < run.instructions; ++i) {
            addresses.push_back(pc);
            pc += image_.find(pc)->run(pc).length;
        }
        time = run.time;
    }
    void trapped(const FlowTrap& trap) override { addresses.push_back(~trap.from); }
    void gap(const FlowGap& gap) override { gaps.push_back(gap); }

    std::vector<Address> addresses; ///< inverted: a trap there
    std::vector<FlowGap> gaps;
    FlowTime time;

  private:
    const ProgramImage& image_;
};

/// The messages with their times, as bytes; all of them have to be readable.
inline void decode_messages(const RecordingPort& port, TimestampFormat timestamps, Flow& flow) {
    TraceWriter writer(0, timestamps);
    for (const RecordingPort::Sent& sent : port.sent) {
        writer.at(sent.at, sent.message);
    }
    std::istringstream input(writer.bytes());
    TraceReader reader(input, 0);
    ContextTracker contexts(timestamps);
    TraceItem item;
    while (reader.next(item)) {
        ASSERT_EQ(item.kind, TraceItem::Kind::Message);
        flow.add(item, contexts.next(item));
    }
}

} // namespace pes::trace::test
