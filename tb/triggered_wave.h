// SPDX-License-Identifier: Apache-2.0
// Records a wave like a logic analyser: everything is noted, older than `before` cycles is
// forgotten, and the n-th rise of one signal fixes the window. So a short window around something
// whose cycle nobody knows beforehand needs one run only.
#pragma once

#include "hw/common/wave.h"
#include "platform/host/output_file.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

struct WaveTrigger {
    std::string signal;          ///< scoped name
    unsigned occurrence = 1;     ///< which rise, from 1
    Cycle before = 0, after = 0; ///< the window around it
};

struct WaveWindow {
    Cycle from, trigger, to; ///< `to` exclusive
};

class TriggeredWave : public WaveSink {
  public:
    /// `slack`: how many cycles late a change may be reported.
    TriggeredWave(WaveTrigger trigger, Cycle slack);

    /// All but the pins of counters in RTL: the recordings of every kind of counters are the same.
    bool wants(std::string_view group) const override { return group != "rtl"; }
    SignalId declare(std::string_view group, std::string_view scope, std::string_view name,
                     unsigned width, std::uint64_t initial) override;
    SignalId declare_text(std::string_view group, std::string_view scope, std::string_view name,
                          const std::shared_ptr<const WaveTexts>& texts,
                          std::uint64_t initial) override;
    void change(SignalId signal, Cycle at, std::uint64_t value) override;
    Cycle window_from() const override { return 0; } // any cycle may turn out to be in the window
    Cycle window_to() const override { return window_ ? window_->to : kNever; }

    /// Nothing if the trigger did not come.
    const std::optional<WaveWindow>& window() const { return window_; }
    /// The window as VCD; the run ended at cycle `end`. Only after the trigger.
    void write(OutputFile& file, std::uint64_t clock_hz, Cycle end) const;

  private:
    struct Signal {
        std::string group, scope, name;
        unsigned width;
        std::uint64_t value; ///< of the newest forgotten change
        Cycle value_at = 0;
        std::shared_ptr<const WaveTexts> texts{}; ///< null: shows numbers
    };
    struct Change {
        Cycle at;
        std::uint32_t signal;
        std::uint64_t value;
    };

    void watch(Cycle at, std::uint64_t value);
    void forget(Cycle before);

    WaveTrigger trigger_;
    Cycle slack_;
    std::vector<Signal> signals_;
    std::deque<Change> changes_; ///< as they came
    Cycle newest_ = 0;
    std::optional<std::uint32_t> watched_;
    std::uint64_t watched_value_ = 0;
    unsigned rises_ = 0;
    std::optional<WaveWindow> window_;
};

} // namespace pes
