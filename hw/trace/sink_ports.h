// SPDX-License-Identifier: Apache-2.0
// What a sink needs of the world around it: a clock that wakes it, a way into memory, and pins.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <span>

namespace pes::trace {

class SinkClock {
  public:
    SinkClock() = default;
    SinkClock(const SinkClock&) = delete;
    SinkClock& operator=(const SinkClock&) = delete;
    virtual ~SinkClock() = default;

    /// TraceSink::serve() is wanted at cycle `at`; an earlier request that is still pending stands.
    virtual void wake_at(Cycle at) = 0;
};

/// The bus master of a memory sink.
class MemoryPort {
  public:
    struct Answer {
        bool accepted = false;
        Cycle latency = 0; ///< cycles that the target added
    };

    MemoryPort() = default;
    MemoryPort(const MemoryPort&) = delete;
    MemoryPort& operator=(const MemoryPort&) = delete;
    virtual ~MemoryPort() = default;

    /// One burst of whole words; it starts in the present cycle.
    virtual Answer write(Address address, std::span<const std::uint8_t> bytes) = 0;
};

/// Bytes that leave the chip through the probe.
class ProbeOutput {
  public:
    ProbeOutput() = default;
    ProbeOutput(const ProbeOutput&) = delete;
    ProbeOutput& operator=(const ProbeOutput&) = delete;
    virtual ~ProbeOutput() = default;

    virtual void send(std::span<const std::uint8_t> bytes) = 0;
};

} // namespace pes::trace
