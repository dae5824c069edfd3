// SPDX-License-Identifier: Apache-2.0
// One hart that traces itself through a filter of the Trace Control Interface 1.0: from the first
// instruction of enter() up to the first one of leave(), by a latched comparator, and with a
// watchpoint at fold(). The trace becomes filters.rtd on the host.
//
// Exit code: 0, or the number of the step that went wrong.
#include "tests/guest/trace/standard_trace.h"

namespace {

using namespace pes;
using namespace pes::standard_trace;

constexpr uint32_t kBufferBytes = 16384;
constexpr unsigned kRounds = 12;

alignas(64) volatile uint8_t buffer[kBufferBytes];
volatile uint32_t table[64];

} // namespace

extern "C" {

[[gnu::noinline]] uint32_t fold(uint32_t value, unsigned turns) {
    for (unsigned turn = 0; turn < turns; ++turn) {
        value = (value & 1) != 0 ? value >> 1 ^ 0xEDB8'8320U : value >> 1;
        table[turn % 64] = value;
    }
    return value;
}

[[gnu::noinline]] void leave(uint32_t value) {
    table[0] = value;
}

[[gnu::noinline]] void enter(unsigned round) {
    uint32_t value = round;
    for (unsigned turn = 0; turn < round; ++turn) {
        value = fold(value + turn, 3 + turn % 5);
    }
    leave(value);
}
}

namespace {

void set_filters(uint64_t unit) {
    namespace filter = trace_control::filter;
    namespace comparator = trace_control::comparator;
    constexpr uint32_t kLatch = 3U << comparator::kModeShift; // both functions: equal
    const auto address = [unit](uint64_t low, uint64_t value) {
        write(unit, low, static_cast<uint32_t>(value));
        write(unit, low + 4, static_cast<uint32_t>(value >> 32));
    };
    const uint64_t latch = 2 * comparator::kStride; // comparator 2
    address(latch + comparator::kPrimaryLow, reinterpret_cast<uint64_t>(&enter));
    address(latch + comparator::kSecondaryLow, reinterpret_cast<uint64_t>(&leave));
    write(unit, latch + comparator::kControl, kLatch);
    address(comparator::kPrimaryLow, reinterpret_cast<uint64_t>(&fold)); // comparator 0
    write(unit, comparator::kControl, comparator::kPrimaryNotify);
    const uint64_t second = filter::kStride; // filter 1 asks comparator 2
    write(unit, second + filter::kControl,
          filter::kEnable | (filter::kComparatorMatch | 2U << filter::kComparatorIndexShift)
                                << filter::kComparatorShift);
    write(unit, te::kFilters, 1U << 1);
}

} // namespace

int main() {
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    if (!start_memory(base, kBufferBytes) || !start_encoder(0, set_filters)) {
        return 1;
    }
    for (unsigned round = 0; round < kRounds; ++round) {
        fold(round, 2); // not in the trace
        enter(round);
        table[1] = round;
    }
    if (!stop_encoder(0) || !disable(kRamSink, ram::kModeMemory)) {
        return 2;
    }
    const Filled where = filled();
    return !where.wrapped && save("filters.rtd", buffer, kBufferBytes, where) ? 0 : 3;
}
