// SPDX-License-Identifier: Apache-2.0
// What a person or a file says to the console. The device asks for a byte when it has room for it.
#pragma once

#include <cstdint>
#include <optional>

namespace pes {

class ConsoleInput {
  public:
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
