// SPDX-License-Identifier: Apache-2.0
// The device's side of a split virtqueue (VIRTIO 1.2, section 2.7): takes what the driver has made
// available, and gives it back used.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/device/device_memory.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pes {

class Virtqueue {
  public:
    static constexpr std::uint32_t kMostSize = 1024; ///< descriptors; the specification has 32768

    /// A buffer of the driver's, in one piece.
    struct Piece {
        Address address = 0;
        std::uint32_t length = 0;
        void state(Archive& archive) { archive(address, length); }
    };
    /// A descriptor chain.
    struct Chain {
        std::uint16_t head = 0;
        std::vector<Piece> readable; ///< by the device
        std::vector<Piece> writable;
        std::uint64_t readable_bytes = 0;
        std::uint64_t writable_bytes = 0;
        void state(Archive& archive) {
            archive(head, readable, writable, readable_bytes, writable_bytes);
        }
    };
    struct Taken {
        std::optional<Chain> chain{}; ///< nothing: the driver has made none available, or
        std::string_view mistake{};   ///< what the driver has done wrong
    };
    /// What device and driver have agreed on.
    struct Features {
        bool indirect = false;    ///< VIRTIO_F_INDIRECT_DESC
        bool event_index = false; ///< VIRTIO_F_EVENT_IDX
    };
    /// Where the driver has put it.
    struct Layout {
        std::uint32_t size = 0; ///< descriptors
        Address descriptors = 0;
        Address available = 0;
        Address used = 0;
    };

    Layout layout;

    /// Why the layout cannot be used; empty if it can.
    std::string_view mistake(const DeviceMemory& memory) const;
    bool ready() const { return ready_; }
    void start() { ready_ = true; }
    /// Forgets how far it has come, as a reset does.
    void stop();

    /// Something is available. A queue that has moved out of memory has nothing.
    bool has_work(DeviceMemory& memory, Cycle at) const;
    Taken take(DeviceMemory& memory, const Features& features, Cycle at);
    /// `written`: bytes in the writable part. False if the ring is no longer in memory.
    bool give_back(DeviceMemory& memory, std::uint16_t head, std::uint32_t written, Cycle at);
    /// The driver wants to hear of the chain that has been given back last.
    bool wants_interrupt(DeviceMemory& memory, const Features& features, Cycle at) const;
    /// The device takes no more until it is notified of the next chain. Chains before that need
    /// not be told of: the device has looked for them itself. False if the ring is no longer in
    /// memory.
    bool want_notification(DeviceMemory& memory, const Features& features, Cycle at) const;

    /// virtq_need_event() of virtio_queue.h, for 2.7.7.2: whether an index that goes from `old` to
    /// `fresh` passes the one behind `event`.
    static bool passes(std::uint16_t event, std::uint16_t fresh, std::uint16_t old) {
        return static_cast<std::uint16_t>(fresh - event - 1) <
               static_cast<std::uint16_t>(fresh - old);
    }

    void state(Archive& archive);

  private:
    class Walk;

    bool ready_ = false;
    std::uint16_t next_available_ = 0; ///< index of the next chain, modulo 2^16
    std::uint16_t next_used_ = 0;
};

} // namespace pes
