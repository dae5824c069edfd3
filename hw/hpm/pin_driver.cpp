// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/pin_driver.h"

#include "hw/common/archive.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pes {

void PinDriver::drive(const CyclePulses& pulses, Cycle cycle) {
    inputs_.pulses = pulses.events & pins_;
    inputs_.retired = pulses.retired;
    drive_retirement(pulses.retired);
    privilege_.enter(cycle);
    inputs_.privilege = privilege_.present();
    if (host_ != nullptr) {
        inputs_.overflow_pending = host_->overflow_pending();
        inputs_.sampled_counters = host_->sampled_counters();
        inputs_.overflow_cause = std::exchange(overflow_named_, std::nullopt);
        inputs_.threshold_cause = std::exchange(threshold_named_, std::nullopt);
    }
}

/// A port on which nothing retires keeps its pc.
void PinDriver::drive_retirement(unsigned count) {
    const RetiredPair pair = ports_.deliver(count, inputs_.pulses);
    inputs_.retire_events = {};
    inputs_.retire_class = {};
    inputs_.retire_register = {};
    for (unsigned port = 0; port < pair.count; ++port) {
        inputs_.retire_pc[port] = pair.ports[port].pc;
        inputs_.retire_events[port] = pair.ports[port].events;
        inputs_.retire_class[port] = pair.ports[port].kind;
        inputs_.retire_register[port] = pair.ports[port].written;
    }
}

RetiredPair PinDriver::retired() const {
    RetiredPair pair;
    pair.count = std::min<unsigned>(inputs_.retired, std::size(pair.ports));
    for (unsigned port = 0; port < pair.count; ++port) {
        pair.ports[port] = {inputs_.retire_pc[port], inputs_.retire_events[port], inputs_.privilege,
                            inputs_.retire_class[port], inputs_.retire_register[port]};
    }
    return pair;
}

void PinDriver::reset() {
    inputs_ = {};
    privilege_ = {};
    ports_.clear();
    overflow_named_.reset();
    threshold_named_.reset();
}

void PinDriver::state(Archive& archive) {
    archive(inputs_, privilege_, ports_, overflow_named_, threshold_named_);
}

} // namespace pes
