// SPDX-License-Identifier: Apache-2.0
#include "hw/core/feed/fixed_counter_note.h"

#include "hw/common/module_logger.h"
#include "hw/interface/maps/csr.h"

#include <atomic>

namespace pes {
namespace {

constexpr std::uint64_t kOverflowInterrupt = 1U << 13;
/// Who only counts starts half the range away, as Linux does, or at 0.
constexpr std::uint64_t kSoon = std::uint64_t{1} << 48;

std::atomic_flag said; // a run is a process, and once is enough for all of its harts

} // namespace

void note_fixed_counter(const CounterBank& bank, std::uint16_t number, std::uint64_t value,
                        std::uint64_t mie) {
    if ((number != csr::kMcycle && number != csr::kMinstret) || 0 - value > kSoon || value == 0 ||
        (mie & kOverflowInterrupt) == 0 || !bank.owns(csr::kScountovf) || said.test_and_set()) {
        return;
    }
    module_logger("counters")
        ->warn(
            "software waits for an overflow of {0}, which has no overflow interrupt: {0} counts, "
            "but a profiler such as perf record gets no samples from it; a programmable counter "
            "can be sampled, with an event that it counts",
            number == csr::kMcycle ? "mcycle" : "minstret");
}

} // namespace pes
