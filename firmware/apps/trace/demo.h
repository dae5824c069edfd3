// SPDX-License-Identifier: Apache-2.0
// What the demonstrations of the trace performance library share. Each program is built for one
// count type and one buffer: COUNT_TYPE (perfCountType_t) and BUFFER (bytes of memory; 0 = SRAM).
//
// A demonstration keeps what it has read of its own counters and prints it at the end, so that the
// records in the trace can be compared with it. To read the very same values as the library, it
// holds the counters while a record is written; only the timestamp of the trace cannot be held.
#pragma once

#include "firmware/apps/bare/finisher.h"
#include "firmware/apps/trace/demo_console.h"
#include "firmware/boot/csr.h"
#include "firmware/perf/perf.h"

#include <stdint.h>

namespace pes::demo {

using pes::expect; // for each main(), which is outside

inline constexpr auto kCountType = static_cast<perfCountType_t>(COUNT_TYPE);
inline constexpr uint32_t kBuffer = BUFFER;
inline constexpr int kChannel = 6; // where decoders expect performance records

// Exit codes: the step that failed. Low ones are the simulator's own.
enum Exit : uint32_t {
    kInitExit = 11,
    kCollectionExit,
    kOnExit,
    kRecordExit,
    kOffExit,
    kSaveExit,
    kLostExit,
    kTrapExit,
};

constexpr perfEvent general_event(int code) {
    perfEvent event{};
    event.type = perfEventHWGeneral;
    event.code = code;
    return event;
}
constexpr perfEvent cache_event(int cache, int operation, int result) {
    perfEvent event{};
    event.type = perfEventHWCache;
    event.cache_id = cache;
    event.op_id = operation;
    event.result_id = result;
    return event;
}
constexpr perfEvent raw_event(unsigned long selector) {
    perfEvent event{};
    event.type = perfEventHWRaw;
    event.event_data = selector;
    return event;
}
template <int Count>
constexpr int size_of(const perfEvent (&)[Count]) {
    return Count;
}

class CounterHold {
  public:
    CounterHold() : held_(read_csr<csr::kMcountinhibit>()) {
        write_csr<csr::kMcountinhibit>(~uint64_t{0});
    }
    ~CounterHold() { write_csr<csr::kMcountinhibit>(held_); }
    CounterHold(const CounterHold&) = delete;
    CounterHold& operator=(const CounterHold&) = delete;

  private:
    uint64_t held_;
};

} // namespace pes::demo
