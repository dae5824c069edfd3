// SPDX-License-Identifier: Apache-2.0
// Records a waveform into a file of any format (wave_format.h).
//
// Blocks report changes with the cycle on which they happen, but not in order of time: the hart
// runs ahead of the kernel, counter edges are handed over once they are certain. Changes wait here
// until nothing earlier can come, then go out in order of time. The file depends on nothing but the
// run: no date, no host name.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/wave.h"
#include "platform/soc/waves/wave_format.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace pes {

/// What to record.
struct WaveSelection {
    std::set<std::string, std::less<>> groups; ///< empty: all
    Cycle from = 0;
    Cycle to = kNever; ///< exclusive
};

/// "hpm,plic" as a set. Throws UserError on an empty name.
std::set<std::string, std::less<>> parse_groups(std::string_view list);

class WaveRecorder : public WaveSink {
  public:
    /// `slack`: how many cycles late a change may be reported, behind the newest one.
    WaveRecorder(std::unique_ptr<WaveFormat> format, WaveSelection selection,
                 std::uint64_t clock_hz, Cycle slack);

    bool wants(std::string_view group) const override;
    SignalId declare(std::string_view group, std::string_view scope, std::string_view name,
                     unsigned width, std::uint64_t initial) override;
    SignalId declare_text(std::string_view group, std::string_view scope, std::string_view name,
                          const std::shared_ptr<const WaveTexts>& texts,
                          std::uint64_t initial) override;
    void change(SignalId signal, Cycle at, std::uint64_t value) override;
    Cycle window_from() const override { return selection_.from; }
    Cycle window_to() const override { return selection_.to; }

    /// Devices report in kernel time, of which a sleeping hart is ahead by any number of cycles: a
    /// change may also come `slack` cycles behind `kernel_cycle()`.
    void follow(std::function<Cycle()> kernel_cycle) { kernel_cycle_ = std::move(kernel_cycle); }

    /// After every block has declared its signals: throws UserError if a selected group is unknown.
    void check_groups() const;

    /// The run has ended at cycle `end`: writes all waiting changes, those after `end` included.
    void finish(Cycle end);

    /// Of a checkpoint: the values of all signals, and the changes that wait. One that is restored
    /// begins in cycle `now`, or later with its window.
    void state(Archive& archive, Cycle now);

    /// Changes that came later than `slack` allows; they are shown at the time then reached.
    std::uint64_t late() const { return late_; }

  private:
    struct Change {
        Cycle at;
        std::uint64_t order; ///< of two changes in one cycle the one reported last holds
        std::uint32_t signal;
        std::uint64_t value;
        void state(Archive& archive) { archive(at, order, signal, value); }
    };
    struct Later {
        bool operator()(const Change& a, const Change& b) const {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };

    void waiting_state(Archive& archive);
    void drain(Cycle before);
    void begin_window();
    void write_values(Cycle at);
    void write_value(std::size_t index);
    void write_time(Cycle at);

    std::unique_ptr<WaveFormat> format_;
    WaveSelection selection_;
    std::uint64_t period_ps_;
    Cycle slack_;
    std::function<Cycle()> kernel_cycle_ = [] { return kNever; };
    std::vector<RecordedSignal> signals_;
    std::priority_queue<Change, std::vector<Change>, Later> waiting_;
    std::vector<std::uint32_t> touched_; ///< signals changed in the cycle being drained
    mutable std::set<std::string, std::less<>> known_groups_; ///< every group a block asked for
    std::uint64_t order_ = 0;
    std::uint64_t late_ = 0;
    Cycle newest_ = 0;
    Cycle reached_ = 0; ///< everything before this cycle is out
    bool window_begun_ = false;
};

} // namespace pes
