// SPDX-License-Identifier: Apache-2.0
// Two harts with a software trace module each: they name their threads and take turns with events.
//
// Console: "event" with id and value for each event of both harts, in the order of time.
#include "firmware/apps/bare/harts.h"
#include "firmware/apps/trace/demo_console.h"
#include "firmware/lib/software_trace.h"

namespace pes::demo {

namespace {

namespace stm = software_trace;

constexpr uint16_t kTurnId = 0x100;
constexpr uint64_t kTurns = 24, kThread = 0x8000'1000;
// Names of one character, of less than a value, of a whole one, and of more.
constexpr const char* kNames[][2] = {{"a", "receiver"}, {"sender", "housekeeping"}};

Barrier barrier;

// Long enough for everything in the FIFO to leave.
void pause() {
    for (unsigned i = 0; i < 1000; ++i) {
        asm volatile("");
    }
}

void name_threads(uint64_t hart) {
    uint64_t thread = kThread + 0x1000 * hart;
    for (const char* name : kNames[hart]) {
        stm::switch_thread(thread++);
        stm::name_thread(name);
        pause();
    }
}

void take_turns(uint64_t hart) {
    for (uint64_t turn = 0; turn < kTurns; ++turn) {
        barrier.meet();
        if (turn % kHarts == hart) {
            stm::emit(kTurnId, turn);
        }
    }
}

void run(uint64_t hart) {
    stm::start(hart, true);
    barrier.meet();
    name_threads(hart);
    take_turns(hart);
    barrier.meet();
}

} // namespace

} // namespace pes::demo

int main(uint64_t hart) {
    using namespace pes::demo;
    if (hart >= pes::kHarts) {
        return 0;
    }
    run(hart);
    for (uint64_t turn = 0; hart == 0 && turn < kTurns; ++turn) {
        print_line("event", kTurnId, turn);
    }
    return 0;
}
