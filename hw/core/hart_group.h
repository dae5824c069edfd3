// SPDX-License-Identifier: Apache-2.0
// Several harts on one memory and one bus. They take turns: each runs ahead of the kernel by its
// quantum and on to the end of the block in hand, then waits until the kernel has caught up, while
// the others run. The end of a turn depends on cycles and never on host time, so the order of all
// accesses is the same in every run, on every execution path and with every kind of counters.
#pragma once

#include "hw/interface/types.h"

#include <functional>
#include <utility>
#include <vector>

namespace pes {

class HartModule;

class HartGroup {
  public:
    /// `next_device_event`: the next cycle in which a device may raise an interrupt without an
    /// access; kNever if none will. The kernel cannot tell: its next event may be another hart's.
    explicit HartGroup(std::function<Cycle()> next_device_event)
        : next_device_event_(std::move(next_device_event)) {}
    HartGroup(const HartGroup&) = delete;
    HartGroup& operator=(const HartGroup&) = delete;

    /// Call before the run, in the order of hart numbers. `hart` must outlive the group.
    void add(HartModule& hart);

    Cycle next_device_event() const { return next_device_event_(); }
    bool all_need_interrupts() const;
    /// True if a device, or a hart with a lower number, still has to act in cycle `now`.
    bool others_come_first(const HartModule& hart, Cycle now) const;
    /// True once, since several harts may reach the end of the run in the same cycle.
    bool may_end() { return !std::exchange(ended_, true); }
    /// See HartModule::counter_can_interrupt().
    bool counters_can_interrupt() const;

  private:
    std::function<Cycle()> next_device_event_;
    std::vector<HartModule*> harts_;
    bool ended_ = false;
};

} // namespace pes
