// SPDX-License-Identifier: Apache-2.0
// Samples of decoded instructions (Smpdis), which a counter tells of: it counts the event
// pdis-sample with threshold 1. The unit's own overflow bit stays set, so that it does not
// interrupt itself.
#pragma once

#include "hw/interface/maps/pdis.h"

#include <stdint.h>

namespace pes::decoded {

/// Its bit of mcountinhibit.
inline constexpr uint32_t kHold = 1U << pdis::kCounterBit;
/// spdiscounter begins at 2^32 less the period, and its bit 31 must be set.
inline constexpr uint64_t kLongestPeriod = uint64_t{1} << 31;
inline constexpr uint64_t kKinds = pdis::control::kLastSel + 1; ///< values of mpdisctl.SEL

/// The selector of pdis-sample.
extern const uint64_t kEvent;

/// The hart has the unit, with its record in CSRs, and counts that event.
bool present();

/// Samples one kind of instruction in these modes (sbi::sampling::kMode..), unless it is thrown
/// away.
void set_up(uint64_t kind, uint64_t modes);
void off();
/// The next sample is so many instructions away.
void set_period(uint64_t period);

struct Sample {
    uint64_t pc;
    uint64_t data_address; ///< 0: it has no access
};
/// The last one.
Sample last();

} // namespace pes::decoded
