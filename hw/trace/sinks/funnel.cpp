// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/funnel.h"

#include <algorithm>
#include <utility>

namespace pes::trace {

Funnel::Funnel(const FunnelConfig& config, SinkUnit& sink, const TimestampUnit* master)
    : config_(config), sink_(sink), timestamps_({.type = config.timestamp_type,
                                                 .bits = config.timestamp_bits,
                                                 .messages = MessageTimestamps::Absent},
                                                master),
      registers_(config.name, trace_map::kBlockBytes,
                 config.registers == RegisterSet::SiFive ? sifive_registers()
                                                         : standard_registers()) {
    sink_.connect(*this, *this);
    sink_code_ = sink_.select(trace_map::sink::kOnly, 0);
}

MessageListener& Funnel::add_input(MessageSource& source) {
    return inputs_.emplace_back(*this, source);
}

void Funnel::enable(bool on, Cycle at) {
    const bool was = std::exchange(enable_, on);
    if (was && !on) {
        disabled_at_ = at;
        if (listener_ != nullptr) {
            listener_->flush(at);
        }
    }
}

void Funnel::deactivate(Cycle at) {
    enable(false, at);
    active_ = false;
    disable_inputs(0, at);
}

void Funnel::stop_on_wrap(Cycle at) {
    enable(false, at);
}

void Funnel::disable_inputs(std::uint32_t value, Cycle at) {
    for (std::size_t input = 0; input < inputs_.size(); ++input) {
        inputs_[input].disable((value >> input & 1U) != 0, at);
    }
}

bool Funnel::take_turn(PackedMessage& message, Cycle at) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const std::size_t turn = (next_ + i) % inputs_.size();
        if (inputs_[turn].pull(message, at)) {
            next_ = (turn + 1) % inputs_.size();
            return true;
        }
    }
    return false;
}

bool Funnel::pull(PackedMessage& message, Cycle at) {
    if (enable_) {
        return take_turn(message, at);
    }
    if (take_turn(message, std::min(at, disabled_at_))) {
        return true;
    }
    while (take_turn(message, at)) {
        ++dropped_;
    }
    return false;
}

bool Funnel::empty() const {
    return std::ranges::all_of(inputs_, [](const Input& input) { return input.empty(); });
}

bool Funnel::Input::pull(PackedMessage& message, Cycle at) {
    if (!connected()) {
        return false;
    }
    if (!disabled_) {
        return source_.pull(message, at);
    }
    if (source_.pull(message, std::min(at, disabled_at_))) {
        return true;
    }
    while (source_.pull(message, at)) {
        ++owner_.dropped_;
    }
    return false;
}

void Funnel::Input::disable(bool off, Cycle at) {
    if (off && !disabled_) {
        disabled_at_ = at;
    }
    disabled_ = off;
}

void Funnel::Input::message_ready(std::size_t bytes, Cycle at) {
    if (owner_.listener_ != nullptr) {
        owner_.listener_->message_ready(bytes, at);
    }
}

void Funnel::Input::flush(Cycle at) {
    if (owner_.listener_ != nullptr) {
        owner_.listener_->flush(at);
    }
}

} // namespace pes::trace
