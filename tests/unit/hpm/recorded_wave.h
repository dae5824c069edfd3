// SPDX-License-Identifier: Apache-2.0
// A waveform that a test can look at.
#pragma once

#include "hw/common/wave.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pes::test {

/// Keeps what a waveform writer would be told.
class RecordedWave : public WaveSink {
  public:
    RecordedWave(Cycle from, Cycle to, std::string group = "hpm")
        : from_(from), to_(to), group_(std::move(group)) {}

    bool wants(std::string_view group) const override { return group == group_; }
    SignalId declare(std::string_view, std::string_view scope, std::string_view name,
                     unsigned width, std::uint64_t initial) override {
        names_.emplace_back(std::string(scope) + '.' + std::string(name));
        widths[names_.back()] = width;
        initials[names_.back()] = initial;
        return static_cast<SignalId>(names_.size() - 1);
    }
    void change(SignalId signal, Cycle at, std::uint64_t value) override {
        changes[names_[static_cast<std::size_t>(signal)]].emplace_back(at, value);
    }
    Cycle window_from() const override { return from_; }
    Cycle window_to() const override { return to_; }

    std::map<std::string, unsigned> widths;
    std::map<std::string, std::uint64_t> initials;
    std::map<std::string, std::vector<std::pair<Cycle, std::uint64_t>>> changes;

  private:
    Cycle from_, to_;
    std::string group_;
    std::vector<std::string> names_;
};

} // namespace pes::test
