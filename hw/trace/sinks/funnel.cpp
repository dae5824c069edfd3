// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/funnel.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"

#include <algorithm>
#include <bit>

namespace pes::trace {
namespace {

namespace control = trace_map::control;
namespace implementation_map = trace_map::implementation;

constexpr std::uint32_t kSinkMask = 15;
constexpr std::uint32_t kSinkPresence = 0x1F0; // teImpl bits 4 to 8: their numbers are sink codes
constexpr std::uint32_t kSmallestWord = 4;

} // namespace

Funnel::Funnel(const FunnelConfig& config, SinkUnit& sink, const TimestampUnit* master)
    : sink_(sink), timestamps_({.type = config.timestamp_type,
                                .bits = config.timestamp_bits,
                                .messages = MessageTimestamps::Absent},
                               master),
      registers_(config.name, trace_map::kBlockBytes, describe()) {
    sink_.connect(*this, *this);
    sink_code_ = sink_.select(trace_map::sink::kOnly, 0);
}

MessageListener& Funnel::add_input(MessageSource& source) {
    return inputs_.emplace_back(*this, source);
}

std::vector<Register> Funnel::describe() {
    std::vector<Register> list = sink_.registers();
    for (Register& row : timestamps_.registers()) {
        list.push_back(std::move(row));
    }
    list.push_back(no_atb_sink());
    RegisterMap<Funnel> map(*this);
    map.reg("control", trace_map::kControl)
        .u32()
        .read(&Funnel::read_control)
        .write(&Funnel::write_control);
    map.reg("implementation", trace_map::kImplementation)
        .u32()
        .read_only()
        .read(&Funnel::implementation);
    for (Register& row : map.take()) {
        list.push_back(std::move(row));
    }
    return list;
}

std::uint32_t Funnel::implementation() const {
    const auto words = static_cast<std::uint32_t>(std::countr_zero(sink_.word_bytes())) -
                       static_cast<std::uint32_t>(std::countr_zero(kSmallestWord));
    return (sink_.present() & kSinkPresence) | words << implementation_map::kSinkBytesShift;
}

std::uint32_t Funnel::read_control() const {
    return control_ | (empty() && sink_.empty() ? control::kEmpty : 0) |
           (sink_.error() ? control::kSinkError : 0) | sink_code_ << control::kSinkShift;
}

void Funnel::write_control(std::uint32_t value, Cycle at) {
    if ((value & control::kActive) == 0) {
        enable(false, at);
        control_ = 0;
        sink_.reset(at);
        sink_code_ = sink_.select(trace_map::sink::kOnly, at);
        return;
    }
    if ((value & control::kSinkError) != 0) {
        sink_.clear_error();
    }
    sink_code_ = sink_.select(value >> control::kSinkShift & kSinkMask, at);
    sink_.on_wrap((value & control::kStopOnWrap) != 0 ? SinkUnit::OnWrap::Stop
                                                      : SinkUnit::OnWrap::GoOn);
    control_ = control::kActive | (value & control::kStopOnWrap) | (control_ & control::kEnable);
    enable((value & control::kEnable) != 0, at);
}

void Funnel::enable(bool on, Cycle at) {
    const bool was = (control_ & control::kEnable) != 0;
    control_ = on ? control_ | control::kEnable : control_ & ~control::kEnable;
    if (!was && on) {
        sink_.open();
    }
    if (was && !on) {
        disabled_at_ = at;
        if (listener_ != nullptr) {
            listener_->flush(at);
        }
    }
}

void Funnel::stop_on_wrap(Cycle at) {
    enable(false, at);
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
    if ((control_ & control::kEnable) != 0) {
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
