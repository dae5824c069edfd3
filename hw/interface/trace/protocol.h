// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pes::trace {

/// What an encoder sends.
enum class Protocol : std::uint8_t {
    Nexus,  ///< messages of message_layout.h
    ETrace, ///< packets of etrace/packet.h
};

} // namespace pes::trace
