// SPDX-License-Identifier: Apache-2.0
// Events through the software trace module: ids with values, text, threads, and a burst that is
// too fast for the module.
//
// Console: "event" with id and value for each event, in order, of a character as well; "thread"
// with the new thread pointer; "burst" with the id and the number of events whose values count up
// from 0, of which the module misses some; "stalled" with the id of events that it must not send.
#include "firmware/apps/bare/finisher.h"
#include "firmware/apps/trace/demo_console.h"
#include "firmware/lib/software_trace.h"

namespace pes::demo {

namespace {

namespace map = software_trace_map;
namespace stm = software_trace;

constexpr uint64_t kHart = 0;
constexpr unsigned kEvents = 16;
constexpr unsigned kBurst = 200;
constexpr unsigned kThreads = 5;
constexpr uint16_t kFirstId = 0x100, kBurstId = 0x200, kStalledId = 0x300, kLastId = 0x400;
constexpr uint64_t kStacks = 0x8000'1000;

// Exit codes: the step that failed. Low ones are the simulator's own.
enum Exit : uint32_t { kIdentityExit = 11, kControlExit };

// Long enough for everything in the FIFO to leave.
void pause() {
    for (unsigned i = 0; i < 1000; ++i) {
        asm volatile("");
    }
}

void event(uint16_t id, uint64_t value) {
    stm::emit(id, value);
    print_line("event", id, value);
}

void identify() {
    expect(stm::read_register(kHart, map::kVendor) == map::kOpenSocDebug, kIdentityExit);
    expect(stm::read_register(kHart, map::kType) == map::kSoftwareTrace, kIdentityExit);
    expect(stm::read_register(kHart, map::kVersion) == 0, kIdentityExit);
    expect(stm::read_register(kHart, map::kValueWidth) == PES_SOFTWARE_TRACE_VALUE_BITS,
           kIdentityExit);
}

void values() {
    for (unsigned i = 0; i < kEvents; ++i) {
        event(static_cast<uint16_t>(kFirstId + i), 0x0123'4567'89AB'CDEF * (i + 1));
    }
}

void text() {
    for (const char* place = "traced\n"; *place != '\0'; ++place) {
        event(stm::kPrintId, static_cast<uint8_t>(*place));
    }
}

void threads() {
    stm::start(kHart, true);
    for (unsigned i = 0; i < kThreads; ++i) {
        stm::switch_thread(kStacks + 0x1000 * i);
        print_line("thread", kStacks + 0x1000 * i);
    }
    stm::start(kHart, false);
    stm::switch_thread(0); // nobody asked for this one
}

void burst() {
    pause();
    for (unsigned i = 0; i < kBurst; ++i) {
        stm::emit(kBurstId, i);
    }
    pause();
    print_line("burst", kBurstId, kBurst);
}

void stalled() {
    stm::stall(kHart);
    expect(stm::read_register(kHart, map::kControl) == 0, kControlExit);
    for (unsigned i = 0; i < kBurst; ++i) {
        stm::emit(kStalledId, i);
    }
    print_line("stalled", kStalledId);
    stm::start(kHart, false);
}

} // namespace

} // namespace pes::demo

int main() {
    using namespace pes::demo;
    identify();
    stm::start(kHart, false);
    values();
    text();
    threads();
    burst();
    stalled();
    event(kLastId, 0);
    return 0;
}
