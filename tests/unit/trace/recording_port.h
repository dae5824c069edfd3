// SPDX-License-Identifier: Apache-2.0
// A message port that keeps what it is given, and loses what it is told to lose in the way that
// hw/trace/message_port.h prescribes.
#pragma once

#include "hw/trace/message_port.h"

#include <functional>
#include <vector>

namespace pes::trace::test {

class RecordingPort : public MessagePort {
  public:
    struct Sent {
        TraceMessage message;
        Cycle at = 0;
    };

    SendResult send(const TraceMessage& message, Cycle at) override {
        if (during_send) {
            during_send();
        }
        const bool absolute = layout_of(message.code).timestamp == TimestampKind::Absolute;
        if ((full && full()) || (losing_ && !absolute)) {
            losing_ = true;
            ++lost;
            return SendResult::Lost;
        }
        if (losing_) {
            losing_ = false;
            sent.push_back({make_message(MessageCode::Error), at});
        }
        sent.push_back({message, at});
        return SendResult::Sent;
    }

    std::vector<TraceMessage> messages() const {
        std::vector<TraceMessage> all;
        for (const Sent& one : sent) {
            all.push_back(one.message);
        }
        return all;
    }

    std::vector<Sent> sent;
    std::function<bool()> full; ///< asked for each message; none = never
    std::function<void()> during_send;
    unsigned lost = 0;

  private:
    bool losing_ = false;
};

} // namespace pes::trace::test
