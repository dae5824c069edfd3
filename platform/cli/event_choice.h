// SPDX-License-Identifier: Apache-2.0
// Events as options of pes-vp name them.
#pragma once

#include "platform/config/config.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace pes {

struct ChosenEvent {
    unsigned counter = 0;       ///< kCycleIndex, kInstretIndex, or kFirstProgrammable for any other
    std::uint64_t selector = 0; ///< of mhpmevent; 0 for cycles and instret
    EventMask sources{};
};

/// cycle, instret, or an event of the configuration's PMU profile by name or selector. Throws
/// UserError that names the option.
ChosenEvent choose_event(const std::string& option, std::string_view text,
                         const PlatformConfig& config);

} // namespace pes
