// SPDX-License-Identifier: Apache-2.0
// The same benchmark on HARTS harts at once, each with data and six counters of its own. The
// benchmark is bench_main (wrapped.c); its data is thread-local.
#include "firmware/apps/bare/harts.h"
#include "hw/interface/pmu/counter_csr.h"

extern "C" int bench_main();

namespace pes {

namespace {

Barrier barrier;

/// Thread-local variables, from `tp` on; zero is what they begin with.
constexpr unsigned kOwnBytes = 4096;
alignas(64) char own[kHarts][kOwnBytes];

/// Those of the benchmarks' start-up code.
void count_six_events() {
    write_csr<event_csr(3)>(1);
    write_csr<event_csr(4)>(2);
    write_csr<event_csr(5)>(5);
    write_csr<event_csr(6)>(6);
    write_csr<event_csr(7)>(9);
    write_csr<event_csr(8)>(10);
    write_csr<csr::kMcountinhibit>(0);
}

} // namespace

} // namespace pes

int main(int hart) {
    using namespace pes;
    if (static_cast<uint64_t>(hart) >= kHarts) {
        return 0;
    }
    asm volatile("mv tp, %0" ::"r"(own[hart]));
    count_six_events();
    barrier.meet();
    const int status = bench_main();
    barrier.meet();
    return status;
}
