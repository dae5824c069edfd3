// SPDX-License-Identifier: Apache-2.0
// A supervisor payload for any SBI firmware: says what it was given, asks the base and PMU
// extensions who serves it, lets it count, and ends. Uses the console call of SBI 0.1, which the
// oldest firmware has too.
#include "firmware/lib/flat_tree.h"
#include "firmware/lib/text.h"
#include "firmware/supervisor/sbi_call.h"

extern "C" {
/// The device tree as the firmware handed it over, for `pes-vp --dump`.
unsigned char given_tree[16384];
}

namespace {

constexpr uint32_t kTreeMagic = 0xEDFE0DD0; // 0xD00DFEED, stored big-endian

void put_byte(char byte) {
    pes::sbi_call(pes::sbi::kLegacyPutchar, 0, static_cast<uint64_t>(byte));
}

/// Lets the firmware choose mhpmcounter8 for the event and reads it twice.
bool counts(uint64_t event) {
    using namespace pes;
    constexpr uint64_t kCounter = 8;
    const sbi::Result chosen =
        sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, kCounter, 1,
                 sbi::pmu::kConfigClearValue | sbi::pmu::kConfigAutoStart, event);
    uint64_t first = 0;
    uint64_t second = 0;
    if (chosen.error == 0 && chosen.value == kCounter) {
        asm volatile("csrr %0, hpmcounter8" : "=r"(first));
        asm volatile("csrr %0, hpmcounter8" : "=r"(second));
    }
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, kCounter, 1, sbi::pmu::kStopReset);
    return first != 0 && second > first;
}

void keep(const uint8_t* tree) {
    const uint32_t size = pes::FlatTree::size_of(tree);
    for (uint32_t i = 0; i < size && size <= sizeof given_tree; ++i) {
        given_tree[i] = tree[i];
    }
}

} // namespace

extern "C" void payload_main(uint64_t hart, const uint32_t* tree) {
    using namespace pes;
    const bool has_tree = tree != nullptr && *tree == kTreeMagic;
    if (has_tree) {
        keep(reinterpret_cast<const uint8_t*>(tree));
    }
    const uint64_t version = sbi_call(sbi::kBase, sbi::base::kSpecVersion).value;
    const uint64_t counters = sbi_call(sbi::kPmu, sbi::pmu::kNumCounters).value;
    print(put_byte, "payload: hart ", hart, ", device tree ", has_tree ? "found" : "missing",
          ", SBI ", version >> 24, ".", version & 0xFFFFFF, ", ", counters, " counters\n");
    constexpr uint64_t kCycles = 1;
    constexpr uint64_t kInstructions = 2;
    print(put_byte, "payload: a counter that overflows ",
          counts(kCycles) && counts(kInstructions) ? "counts" : "does not count",
          " cycles and instructions\n");
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown, sbi::reset::kNoReason);
    for (;;) {
        asm volatile("wfi");
    }
}
