// SPDX-License-Identifier: Apache-2.0
// Calls from performance records and from the instruction flow, for the same listeners.
#include "decoder/trace/calls/call_fan_out.h"
#include "decoder/trace/calls/record_calls.h"
#include "decoder/trace/output/folded_stacks.h"
#include "tests/unit/decoder/trace/perf_writes.h"

#include <gtest/gtest.h>
#include <sstream>

namespace pes::trace {
namespace {

using namespace perf_record;

InstructionRun run(Address begin, std::uint32_t instructions, RunEnd end, Address next,
                   std::uint64_t time) {
    InstructionRun run;
    run.end = end;
    run.last_length = 4;
    run.instructions = instructions;
    run.begin = begin;
    run.last = begin + 4 * (instructions - 1);
    run.next = next;
    run.time = time;
    return run;
}

/// 0x100 runs 5 instructions and calls 0x200, which runs 3 and returns; then 2 more of 0x100.
void flow_of_a_call(FlowSink& flow) {
    flow.ran(run(0x100, 5, RunEnd::Call, 0x200, 10));
    flow.ran(run(0x200, 3, RunEnd::Return, 0x114, 40));
    flow.ran(run(0x114, 2, RunEnd::Plain, 0x11C, 45));
}

std::string text_of(const FoldedStacks& stacks) {
    std::ostringstream text;
    stacks.write(text);
    return text.str();
}

TEST(FoldedStacks, WeighInstructionsOfTheFlow) {
    FoldedStacks stacks(nullptr, {FoldedWeight::Of::Instructions, 0});
    CallTracker calls(stacks);
    flow_of_a_call(calls);
    EXPECT_EQ(text_of(stacks), "0x100 5\n0x114 2\n0x200 3\n") << "addresses without a program";
}

TEST(FoldedStacks, WeighTheTimeOfTheFlow) {
    FoldedStacks stacks(nullptr, {});
    CallTracker calls(stacks);
    flow_of_a_call(calls);
    EXPECT_EQ(text_of(stacks), "0x114 5\n0x200 30\n") << "before the first run time is not known";
}

TEST(CallFanOut, TellsTheCallsOfASourceOnce) {
    FoldedStacks stacks(nullptr, {FoldedWeight::Of::Counter, 0});
    CallFanOut calls;
    calls.listen(stacks);
    RecordCalls record_calls(calls.records());
    CallTracker flow_calls(calls.flow());
    PerfRecords records;
    records.listen(stacks);
    records.listen(record_calls);
    PerfStreams streams(6, records);
    test::PerfWrites writes;
    writes.header(CountType::Delta, 1);
    writes.record(RecordKind::FunctionEnter, {0x300, 0}, {1});
    writes.record(RecordKind::FunctionExit, {0x300, 0}, {7}).manual(0x400, {2});
    for (std::size_t index = 0; index < writes.size(); ++index) {
        streams.add(writes.list()[index]);
        if (index + 4 == writes.size()) { // inside of 0x300
            flow_of_a_call(flow_calls);
        }
    }
    streams.finish(0);
    record_calls.finish();
    EXPECT_EQ(text_of(stacks), "(unknown) 1\n0x300 7\n0x400 2\n");
}

} // namespace
} // namespace pes::trace
