// SPDX-License-Identifier: Apache-2.0
// How a hart waits for the kernel, and what the kernel has to do beside the turns of such harts.
//
// Harts of separate modules (platform/kit) know nothing of each other, and the kernel cannot tell
// that its next event is only another hart's turn. A hart that stopped there would pass a few
// instructions at a time. So the harts of one simulation take each other's wake-ups out of the
// kernel while one of them asks it.
#pragma once

#include <systemc>
#include <utility>
#include <vector>

namespace pes {

class HartTurn {
  public:
    HartTurn() = default;
    HartTurn(const HartTurn&) = delete;
    HartTurn& operator=(const HartTurn&) = delete;

    /// The others of this simulation. Call before the run; they must outlive it.
    void meet(std::vector<HartTurn*> others) { others_ = std::move(others); }

    /// In the thread of the hart: lets the kernel go on for `span`; zero: for one delta cycle.
    void wait(const sc_core::sc_time& span);

    /// True while nothing but another module can make the hart go on, and when it has ended.
    void set_idle(bool idle) { idle_ = idle; }

    // What the kernel has to do, turns of other harts apart.

    sc_core::sc_time time_to_activity();
    /// Also true for a turn that the kernel has already begun, but not given to its hart.
    bool activity_now();
    /// At any time; so has a hart that is not idle.
    bool activity();

  private:
    class Aside; ///< holds the wake-ups of the others

    bool can_be_put_off() const;

    std::vector<HartTurn*> others_;
    sc_core::sc_event over_;
    sc_core::sc_time due_;
    bool waits_ = false;
    bool delta_ = false;      ///< it waits for a delta cycle, not for due_
    sc_dt::uint64 since_ = 0; ///< the delta cycle in which the wait began
    bool idle_ = false;
};

} // namespace pes
