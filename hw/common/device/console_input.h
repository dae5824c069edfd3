// SPDX-License-Identifier: Apache-2.0
// What a person or a file says to the console. The device asks for a byte when it has room for it.
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace pes {

class ConsoleInput {
  public:
    /// Of one byte on the line: ten bits at 115200 baud. A device asks at this pace.
    static constexpr std::chrono::nanoseconds kCharacter{86'806};

    /// The same in cycles of this clock, at least one.
    static constexpr Cycle character_cycles(std::uint64_t clock_hz) {
        constexpr Cycle kNanoseconds = kCharacter.count();
        return std::max(Cycle{1}, clock_hz * kNanoseconds / 1'000'000'000);
    }

    ConsoleInput() = default;
    ConsoleInput(const ConsoleInput&) = delete;
    ConsoleInput& operator=(const ConsoleInput&) = delete;
    virtual ~ConsoleInput() = default;

    /// The next byte; nothing if there is none now.
    virtual std::optional<std::uint8_t> next() = 0;
    /// True once no byte will come any more.
    virtual bool ended() = 0;
};

} // namespace pes
