// SPDX-License-Identifier: Apache-2.0
// A packet port that keeps what it is given, and loses what it is told to lose.
#pragma once

#include "hw/interface/trace/etrace/frame.h"
#include "hw/trace/packet_port.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace pes::trace::test {

class PacketRecorder : public PacketPort {
  public:
    explicit PacketRecorder(const etrace::Parameters& parameters = {}) : parameters_(parameters) {}

    const etrace::Parameters& parameters() const override { return parameters_; }
    SendResult send(std::span<const etrace::Packet> packets, Cycle time, Cycle at) override {
        EXPECT_LE(time, at);
        if (full && full()) {
            ++lost;
            return SendResult::Lost;
        }
        for (const etrace::Packet& packet : packets) {
            frames.push_back({.source = 0, .timestamp = time, .packet = packet});
        }
        return SendResult::Sent;
    }

    std::string bytes(const etrace::Framing& framing) const {
        std::string text;
        for (const etrace::Frame& frame : frames) {
            const PackedMessage packed = etrace::pack_frame(frame, framing, parameters_);
            text.append(packed.bytes.begin(),
                        packed.bytes.begin() + static_cast<std::ptrdiff_t>(packed.size));
        }
        return text;
    }

    std::vector<etrace::Frame> frames;
    std::function<bool()> full; ///< asked for each burst; none = never
    unsigned lost = 0;

  private:
    etrace::Parameters parameters_;
};

} // namespace pes::trace::test
