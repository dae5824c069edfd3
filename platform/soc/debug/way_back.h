// SPDX-License-Identifier: Apache-2.0
// The snapshots of a run that a debugger looks at: when one is made, which one leads to a place,
// and what of the host goes back with it.
//
// What a snapshot costs is known once it is made, so the time between two of them follows from it:
// a run is slowed down by a few hundredths at most, whatever the size of its memory. Where they are
// made depends on the host, therefore; no result of the run does.
#pragma once

#include "platform/history/host_files.h"
#include "platform/history/snapshots.h"
#include "platform/soc/debug/errand.h"
#include "platform/soc/soc.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace pes {

class WayBack {
  public:
    /// `refused`: why there is no way back; empty: there is one.
    WayBack(Soc& soc, std::string refused) : soc_(soc), refused_(std::move(refused)) {}

    const std::string& refused() const { return refused_; }
    history::Mark here(unsigned hart) const;

    /// The client, whose connection has this descriptor, lets the run go on. The first time this
    /// process becomes the supervisor, and the runner returns.
    void goes_on(int client);
    /// The run stands still, and its output up to here has been shown.
    void stands_still(unsigned hart);
    /// The client writes to registers or memory.
    void written(unsigned hart);
    /// Where output has been shown up to, while it is not shown.
    std::optional<history::Position> silent_until() const;
    void speak() { files_->speak(); }

    bool due() const;
    /// Makes a snapshot. True in that one, once it has been woken: errand() says what for.
    bool keep(unsigned hart);
    const Errand& errand() const;
    /// What comes from here on replaces what another history had.
    void landed();
    /// No way back is needed any more.
    void end();

    using Kept = history::Snapshots::Kept;
    /// The last one in which the hart has passed less instructions than this.
    std::optional<Kept> before_instruction(unsigned hart, std::uint64_t passed) const;
    /// The last one before all harts have passed as much as this together.
    std::optional<Kept> before_total(std::uint64_t total) const;
    /// The last one from which the place is still to come, or that is there.
    std::optional<Kept> leading_to(const history::Position& place) const;
    std::optional<Kept> first() const;
    /// That this process was, or that it has made last.
    const history::Mark& last_kept() const { return last_; }
    /// Wakes it; this process ends. Returns if it is gone.
    void send(const Kept& to, const Errand& errand);

  private:
    using Clock = std::chrono::steady_clock;
    template <typename Condition>
    std::optional<Kept> last_of(Condition condition) const;
    Clock::duration running_time() const;

    Soc& soc_;
    std::string refused_;
    std::optional<history::Snapshots> snapshots_;
    std::optional<history::HostFiles> files_;
    history::Mark last_{};
    bool any_ = false;                   ///< a snapshot has been made
    bool written_ = false;               ///< since the last one
    bool runs_ = false;                  ///< it does not stand still
    Clock::duration ran_{};              ///< since the last snapshot, up to...
    Clock::time_point runs_since_{};     ///< ...here
    Clock::duration spacing_{};          ///< of snapshots
    long faults_ = 0;                    ///< pages that the host had given the process then
    std::chrono::nanoseconds forking_{}; ///< what the last one took
};

} // namespace pes
