// SPDX-License-Identifier: Apache-2.0
// What a hart needs from the platform: a physical bus, and the time for the `time` CSR.
#pragma once

#include "hw/common/lazy_range.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>

namespace pes {

enum class BusStatus : std::uint8_t { Ok, Error };

/// Outcome of one bus access; `latency` is what the device added, in cycles.
struct BusResult {
    BusStatus status = BusStatus::Ok;
    std::uint32_t latency = 0;
};

/// Host memory behind guest addresses [start, end). `data` points at `start`.
struct DirectMemory {
    std::byte* data = nullptr;
    Address start = 0;
    Address end = 0;                 ///< exclusive
    const LazyRange* lazy = nullptr; ///< to be updated before an access; may be null
};

class HartBus {
  public:
    HartBus() = default;
    HartBus(const HartBus&) = delete;
    HartBus& operator=(const HartBus&) = delete;
    virtual ~HartBus() = default;

    /// One naturally aligned access of 1, 2, 4 or 8 bytes in cycle `at`. The platform advances to
    /// that cycle first, so that a device sees the exact time. May call the hart's set_interrupt()
    /// and set_horizon().
    virtual BusResult load(Address address, void* data, unsigned size, Cycle at) = 0;
    virtual BusResult store(Address address, const void* data, unsigned size, Cycle at) = 0;

    /// Requests direct access to the memory around `address`; false if there is none. A region may
    /// end in the middle of a page, because a watched word (tohost) is never part of a region.
    virtual bool direct_memory(Address address, DirectMemory& region) = 0;

    /// Main memory without direct access: at most 8 bytes in cycle `at`, which no kernel event
    /// precedes. False if there is none.
    virtual bool read_memory(Address /*address*/, void* /*data*/, unsigned /*size*/, Cycle /*at*/) {
        return false;
    }
    virtual bool write_memory(Address /*address*/, const void* /*data*/, unsigned /*size*/,
                              Cycle /*at*/) {
        return false;
    }

    /// Brings the platform to cycle `at` as an access does.
    virtual void reach(Cycle /*at*/) {}

    /// The value of mtime that a load in cycle `at` reads.
    virtual std::uint64_t time(Cycle at) const = 0;
    /// Sstc: stimecmp was written in cycle `at`. From the next cycle on the platform compares it
    /// with mtime and drives Interrupt::SupervisorTimer. May call the hart, as an access may.
    virtual void set_supervisor_timer(std::uint64_t /*stimecmp*/, Cycle /*at*/) {}
};

} // namespace pes
