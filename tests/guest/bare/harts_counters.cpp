// SPDX-License-Identifier: Apache-2.0
// HARTS harts count their own loads at the same time, each another number of them, and each is
// interrupted by its own threshold through its own PLIC source and context. The exit code says
// which step failed.
#include "firmware/apps/bare/harts.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "hw/interface/pmu/counter_csr.h"

namespace pes {

namespace {

constexpr unsigned kCounter = kFirstProgrammable;
constexpr uint64_t kLoads = 5; ///< selector of the event
constexpr uint64_t kHeld = uint64_t{1} << kCounter;
constexpr uint64_t kThreshold = 40;
constexpr uint64_t kExternal = uint64_t{1} << 11; ///< of mie and mip

enum Step : uint32_t { kCount = 1, kKept, kTooEarly, kSource, kFallen, kForeign };

Barrier barrier;
volatile uint64_t word;

void load(uint64_t times) {
    asm volatile("1: ld zero, 0(%1)\n"
                 "addi %0, %0, -1\n"
                 "bnez %0, 1b"
                 : "+r"(times)
                 : "r"(&word)
                 : "memory");
}

void count_loads(uint64_t times) {
    clear_csr<csr::kMcountinhibit>(kHeld);
    load(times);
    set_csr<csr::kMcountinhibit>(kHeld);
}

uint64_t counted() {
    return read_csr<counter_csr(kCounter)>();
}

uint64_t context_register(uint64_t hart, uint64_t offset) {
    return PES_PLIC_BASE + plic::kContext + plic::kContextStride * plic::machine_context(hart) +
           offset;
}

void open_interrupt(uint64_t hart, uint32_t id) {
    write_device<uint32_t>(PES_PLIC_BASE + plic::kPriority + 4 * id, 1);
    write_device<uint32_t>(PES_PLIC_BASE + plic::kEnable +
                               plic::kEnableStride * plic::machine_context(hart),
                           ~uint32_t{0});
    set_csr<csr::kMie>(kExternal); // mstatus.MIE stays 0: the interrupt pends, nothing traps
}

void count_apart(uint64_t hart) {
    const uint64_t times = (hart + 1) * 100;
    write_csr<event_csr(kCounter)>(kLoads);
    write_csr<counter_csr(kCounter)>(0);
    barrier.meet();
    count_loads(times);
    expect(counted() == times, kCount);
    barrier.meet();
    expect(counted() == times, kKept);
}

/// One hart after the other, since all of them have every source enabled.
void interrupt_apart(uint64_t hart) {
    const uint32_t id = irq::id_of(irq::pes_threshold_source(static_cast<unsigned>(hart)));
    open_interrupt(hart, id);
    for (uint64_t turn = 0; turn < kHarts; ++turn) {
        barrier.meet();
        if (turn != hart) {
            continue;
        }
        write_csr<counter_csr(kCounter)>(0);
        write_csr<threshold_csr(kCounter)>(kThreshold);
        count_loads(kThreshold - 1);
        expect(read_device<uint32_t>(context_register(hart, plic::kClaimComplete)) == 0, kTooEarly);
        count_loads(1);
        while ((read_csr<csr::kMip>() & kExternal) == 0) {
            asm volatile("wfi");
        }
        expect(read_device<uint32_t>(context_register(hart, plic::kClaimComplete)) == id, kSource);
        write_csr<counter_csr(kCounter)>(0);
        write_device<uint32_t>(context_register(hart, plic::kClaimComplete), id);
        expect(read_device<uint32_t>(context_register(hart, plic::kClaimComplete)) == 0, kFallen);
    }
    barrier.meet();
    expect(counted() == 0, kForeign);
}

} // namespace

} // namespace pes

int main(int hart_number) {
    using namespace pes;
    const auto hart = static_cast<uint64_t>(hart_number);
    if (hart >= kHarts) {
        return 0;
    }
    write_csr<csr::kMcountinhibit>(kHeld);
    count_apart(hart);
    interrupt_apart(hart);
    return 0;
}
