// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/wave_recorder.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <utility>

namespace pes {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kPicosecondsPerNanosecond = 1'000;
constexpr unsigned kWholeValue = 64;
constexpr SignalId kUnwanted{~std::uint32_t{0}};

std::uint64_t mask_of(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::string joined(const std::set<std::string, std::less<>>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

} // namespace

std::set<std::string, std::less<>> parse_groups(std::string_view list) {
    std::set<std::string, std::less<>> groups;
    for (bool more = !list.empty(); more;) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (comma == 0) {
            throw UserError("--vcd-groups: an empty name, expected names separated by commas");
        }
        groups.emplace(list.substr(0, comma));
        more = comma != list.size();
        list.remove_prefix(more ? comma + 1 : comma);
    }
    return groups;
}

WaveRecorder::WaveRecorder(std::unique_ptr<WaveFormat> format, WaveSelection selection,
                           std::uint64_t clock_hz, Cycle slack)
    : format_(std::move(format)), selection_(std::move(selection)),
      period_ps_(kPicosecondsPerSecond / clock_hz), slack_(slack) {}

bool WaveRecorder::wants(std::string_view group) const {
    known_groups_.emplace(group);
    return selection_.groups.empty() || selection_.groups.contains(group);
}

SignalId WaveRecorder::declare(std::string_view group, std::string_view scope,
                               std::string_view name, unsigned width, std::uint64_t initial) {
    if (!wants(group)) {
        return kUnwanted;
    }
    signals_.push_back(
        {std::string(scope), std::string(name), width, nullptr, initial & mask_of(width), 0});
    return static_cast<SignalId>(signals_.size() - 1);
}

SignalId WaveRecorder::declare_text(std::string_view group, std::string_view scope,
                                    std::string_view name,
                                    const std::shared_ptr<const WaveTexts>& texts,
                                    std::uint64_t initial) {
    const SignalId signal = declare(group, scope, name, kWholeValue, initial);
    if (signal != kUnwanted) {
        signals_.back().texts = texts;
    }
    return signal;
}

void WaveRecorder::check_groups() const {
    for (const std::string& group : selection_.groups) {
        if (!known_groups_.contains(group)) {
            throw UserError("--vcd-groups: unknown group '" + group + "', expected one of " +
                            joined(known_groups_));
        }
    }
}

void WaveRecorder::change(SignalId signal, Cycle at, std::uint64_t value) {
    if (signal == kUnwanted || at >= selection_.to) {
        return;
    }
    if (at < reached_) {
        ++late_;
        at = reached_;
    }
    waiting_.push({at, order_++, static_cast<std::uint32_t>(signal), value});
    newest_ = std::max(newest_, at);
    if (newest_ > slack_ && newest_ - slack_ > reached_) {
        const Cycle certain = std::min(newest_, kernel_cycle_());
        drain(certain - std::min(certain, slack_));
    }
}

void WaveRecorder::finish(Cycle end) {
    const Cycle last = std::max(end, newest_); // what has begun may end behind the run
    drain(kNever);
    begin_window();
    write_time(std::max(std::min(last, selection_.to), selection_.from));
    format_->finish();
}

/// Writes every change before cycle `before`.
void WaveRecorder::drain(Cycle before) {
    while (!waiting_.empty() && waiting_.top().at < before) {
        const Cycle at = waiting_.top().at;
        if (at > selection_.from) {
            begin_window();
        }
        while (!waiting_.empty() && waiting_.top().at == at) {
            const Change& change = waiting_.top();
            signals_[change.signal].value = change.value & mask_of(signals_[change.signal].width);
            touched_.push_back(change.signal);
            waiting_.pop();
        }
        if (at > selection_.from) {
            write_values(at);
        }
        touched_.clear();
    }
    reached_ = std::max(reached_, before);
}

/// The first thing in the file after the header: every value as it is at the window's start.
void WaveRecorder::begin_window() {
    if (window_begun_) {
        return;
    }
    window_begun_ = true;
    format_->begin(signals_, period_ps_ % kPicosecondsPerNanosecond == 0 ? TimeUnit::Nanosecond
                                                                         : TimeUnit::Picosecond);
    write_time(selection_.from);
    format_->begin_values();
    for (std::size_t index = 0; index < signals_.size(); ++index) {
        write_value(index);
    }
    format_->end_values();
}

void WaveRecorder::write_values(Cycle at) {
    bool time_written = false;
    std::ranges::sort(touched_);
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::uint32_t index : touched_) {
        if (signals_[index].value == signals_[index].written) {
            continue;
        }
        if (!time_written) {
            write_time(at);
            time_written = true;
        }
        write_value(index);
    }
}

void WaveRecorder::write_value(std::size_t index) {
    RecordedSignal& signal = signals_[index];
    signal.written = signal.value;
    if (signal.texts != nullptr) {
        format_->text(index, signal.texts->text_of(signal.value));
    } else {
        format_->number(index, signal.width, signal.value);
    }
}

void WaveRecorder::write_time(Cycle at) {
    const bool nanoseconds = period_ps_ % kPicosecondsPerNanosecond == 0;
    const std::uint64_t unit = nanoseconds ? period_ps_ / kPicosecondsPerNanosecond : period_ps_;
    format_->time(at * unit);
}

// --- Checkpoints ---------------------------------------------------------------------------------

void WaveRecorder::waiting_state(Archive& archive) {
    std::vector<Change> changes;
    if (archive.saves()) {
        for (auto waiting = waiting_; !waiting.empty(); waiting.pop()) {
            changes.push_back(waiting.top());
        }
    }
    archive(changes);
    if (archive.saves()) {
        return;
    }
    waiting_ = {};
    for (const Change& change : changes) {
        if (change.signal >= signals_.size()) {
            archive.refuse("a signal of the waveform is not known");
        }
        waiting_.push(change);
    }
}

void WaveRecorder::state(Archive& archive, Cycle now) {
    std::uint64_t signals = signals_.size();
    archive(signals);
    if (signals != signals_.size()) {
        archive.refuse("the waveform has other signals");
    }
    for (RecordedSignal& signal : signals_) {
        archive(signal.value);
    }
    waiting_state(archive);
    archive(order_, late_, newest_, reached_);
    if (!archive.saves()) {
        selection_.from = std::max(selection_.from, now);
    }
}

} // namespace pes
