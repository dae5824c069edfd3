// SPDX-License-Identifier: Apache-2.0
// Collecting at function entry and exit: the compiler calls the library at both.
//
// Console: "first" and "last" with the floating-point event when records were switched on and off.
#include "firmware/apps/trace/functions.h"
#include "firmware/apps/trace/demo.h"

namespace pes::demo {

namespace {

constexpr unsigned long kFloatingPointSelector = 21;

uint64_t floating_point() {
    return read_csr<csr::kCycle + 3>();
}

} // namespace

} // namespace pes::demo

int main() {
    using namespace pes::demo;
    perfEvent events[] = {general_event(HW_TIMESTAMP), raw_event(kFloatingPointSelector)};
    expect(perfInit(1, FUNNELS) == 0, kInitExit);
    expect(perfFuncEntryExitInit(events, size_of(events), kChannel, kCountType, kBuffer) == 0,
           kCollectionExit);
    const uint64_t first = floating_point();
    expect(perfTraceOn() == 0, kOnExit);
    expect(call_tree() == 3, kRecordExit);
    expect(perfTraceOff() == 0, kOffExit);
    const uint64_t last = floating_point();
    expect(perfWriteTrace("trace_functions.rtd") == 0, kSaveExit);
    print_line("first", first);
    print_line("last", last);
    expect(perfLostRecords() == 0, kLostExit);
    return 0;
}
