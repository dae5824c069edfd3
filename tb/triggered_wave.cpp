// SPDX-License-Identifier: Apache-2.0
#include "tb/triggered_wave.h"

#include "platform/soc/waves/wave_recorder.h"

#include <algorithm>

namespace pes {

TriggeredWave::TriggeredWave(WaveTrigger trigger, Cycle slack)
    : trigger_(std::move(trigger)), slack_(slack) {}

SignalId TriggeredWave::declare(std::string_view group, std::string_view scope,
                                std::string_view name, unsigned width, std::uint64_t initial) {
    const auto index = static_cast<std::uint32_t>(signals_.size());
    signals_.push_back({std::string(group), std::string(scope), std::string(name), width, initial});
    if (signals_.back().scope + '.' + signals_.back().name == trigger_.signal) {
        watched_ = index;
        watched_value_ = initial;
    }
    return static_cast<SignalId>(index);
}

SignalId TriggeredWave::declare_text(std::string_view group, std::string_view scope,
                                     std::string_view name,
                                     const std::shared_ptr<const WaveTexts>& texts,
                                     std::uint64_t initial) {
    const SignalId signal = WaveSink::declare_text(group, scope, name, texts, initial);
    signals_.back().texts = texts;
    return signal;
}

void TriggeredWave::change(SignalId signal, Cycle at, std::uint64_t value) {
    const auto index = static_cast<std::uint32_t>(signal);
    if (index == watched_) {
        watch(at, value);
    }
    if (at >= window_to()) {
        return;
    }
    changes_.push_back({at, index, value});
    newest_ = std::max(newest_, at);
    const Cycle kept = trigger_.before + slack_;
    if (!window_ && newest_ > kept) {
        forget(newest_ - kept);
    }
}

void TriggeredWave::watch(Cycle at, std::uint64_t value) {
    const bool rise = value != 0 && watched_value_ == 0;
    watched_value_ = value;
    if (rise && ++rises_ == trigger_.occurrence) {
        window_ = {at - std::min(at, trigger_.before), at, at + trigger_.after};
    }
}

void TriggeredWave::forget(Cycle before) {
    while (!changes_.empty() && changes_.front().at < before) {
        const Change& change = changes_.front();
        Signal& signal = signals_[change.signal];
        if (change.at >= signal.value_at) {
            signal.value = change.value;
            signal.value_at = change.at;
        }
        changes_.pop_front();
    }
}

void TriggeredWave::write(OutputFile& file, std::uint64_t clock_hz, Cycle end) const {
    WaveRecorder writer(make_vcd_format(file),
                        {.groups = {}, .from = window_->from, .to = window_->to}, clock_hz, kNever);
    for (const Signal& signal : signals_) {
        if (signal.texts != nullptr) {
            writer.declare_text(signal.group, signal.scope, signal.name, signal.texts,
                                signal.value);
        } else {
            writer.declare(signal.group, signal.scope, signal.name, signal.width, signal.value);
        }
    }
    for (const Change& change : changes_) {
        writer.change(static_cast<SignalId>(change.signal), change.at, change.value);
    }
    writer.finish(end);
}

} // namespace pes
