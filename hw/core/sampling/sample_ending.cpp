// SPDX-License-Identifier: Apache-2.0
#include "hw/core/sampling/sample_ending.h"

#include "hw/core/arch/csr_rights.h"

namespace pes {

void SampleEnding::connect(DecodeTap& tap, unsigned stateen_bit) {
    tap_ = &tap;
    stateen_bit_ = stateen_bit;
}

SampleFate SampleEnding::sample_ended(const SampledInstruction& sample) {
    constexpr Cycle kToLine = 1; // as the overflow of a counter, which is registered
    SampledInstruction complete = sample;
    complete.time = bus_.time(sample.times.ended);
    const bool delegated = csr_.state_enabled(std::uint64_t{1} << stateen_bit_);
    complete.time_open = !delegated || time_delegated(csr_);
    const SampleEffect effect = tap_->ended(complete);
    if (effect.overflow_interrupt) {
        feed_.request_overflow(sample.times.ended + kToLine);
    }
    if (effect.skidless && skidless_) {
        skidless_->deliver_behind(sample.times.ended);
    }
    return effect.fate;
}

} // namespace pes
