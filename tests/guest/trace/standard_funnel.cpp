// SPDX-License-Identifier: Apache-2.0
// Two harts whose encoders send to a funnel and on to a RAM sink, driven by the registers of the
// Trace Control Interface 1.0. First both inputs of the funnel are enabled, then one is disabled.
//
// Exit code: 0, or the number of the step that went wrong.
#include "firmware/apps/bare/harts.h"
#include "tests/guest/trace/standard_trace.h"

namespace {

using namespace pes;
using namespace pes::standard_trace;

constexpr uint32_t kBufferBytes = 16384;

alignas(64) volatile uint8_t buffer[kBufferBytes];
volatile uint32_t table[kHarts][64];
volatile uint32_t failed; ///< number of the step
Barrier barrier;

[[gnu::noinline]] void work(uint64_t hart) {
    uint32_t value = 0x1234 + static_cast<uint32_t>(hart);
    for (unsigned turn = 0; turn < 300; ++turn) {
        value = (value & 1) != 0 ? value >> 1 ^ 0xEDB8'8320U : value >> 1;
        table[hart][turn % 64] = value;
    }
    stimulate(hart, 0xC0DE'0000U + static_cast<uint32_t>(hart));
}

void expect(bool good, uint32_t step) {
    if (!good && failed == 0) {
        failed = step;
    }
}

bool start_funnel(uint32_t disabled) {
    if (!activate(kFunnel, control::implementation::kFunnel)) {
        return false;
    }
    write(kFunnel, control::funnel::kDisableInput, 0xFFFF);
    if (read(kFunnel, control::funnel::kDisableInput) != 3) { // two inputs
        return false;
    }
    write(kFunnel, control::funnel::kDisableInput, disabled);
    write(kFunnel, control::timestamp::kControl, control::kActive | control::timestamp::kCount);
    return enable(kFunnel, 0);
}

void trace(uint64_t hart, const char* name, uint32_t disabled, uint32_t step) {
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    if (hart == 0) {
        expect(start_memory(base, kBufferBytes) && start_funnel(disabled), step);
    }
    barrier.meet();
    expect(start_encoder(hart), step + 1);
    work(hart);
    expect(stop_encoder(hart), step + 2);
    barrier.meet();
    if (hart == 0) {
        expect(disable(kFunnel) && disable(kRamSink, ram::kModeMemory), step + 3);
        const Filled where = filled();
        expect(!where.wrapped && where.address > base && save(name, buffer, kBufferBytes, where),
               step + 4);
    }
    barrier.meet();
}

} // namespace

int main() {
    const uint64_t hart = read_csr<csr::kMhartid>();
    trace(hart, "both.rtd", 0, 1);
    trace(hart, "one.rtd", 1U << 1, 11);
    return hart == 0 ? static_cast<int>(failed) : 0;
}
