// SPDX-License-Identifier: Apache-2.0
#include "hw/core/hart_turn.h"

#include <algorithm>

namespace pes {

/// A turn that is over in this very evaluation stays: its event has been triggered.
class HartTurn::Aside {
  public:
    explicit Aside(const std::vector<HartTurn*>& others) : others_(others) {
        for (HartTurn* other : others_) {
            if (other->can_be_put_off()) {
                other->over_.cancel();
            }
        }
    }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;
    ~Aside() {
        for (HartTurn* other : others_) {
            if (other->can_be_put_off()) {
                other->over_.notify(other->delta_ ? sc_core::SC_ZERO_TIME
                                                  : other->due_ - sc_core::sc_time_stamp());
            }
        }
    }

  private:
    const std::vector<HartTurn*>& others_;
};

bool HartTurn::can_be_put_off() const {
    const bool triggered =
        delta_ ? sc_core::sc_delta_count() != since_ : due_ <= sc_core::sc_time_stamp();
    return waits_ && !triggered;
}

void HartTurn::wait(const sc_core::sc_time& span) {
    if (others_.empty()) {
        sc_core::wait(span);
        return;
    }
    delta_ = span == sc_core::SC_ZERO_TIME;
    due_ = sc_core::sc_time_stamp() + span;
    since_ = sc_core::sc_delta_count();
    waits_ = true;
    over_.notify(span);
    sc_core::wait(over_);
    waits_ = false;
}

sc_core::sc_time HartTurn::time_to_activity() {
    const Aside aside(others_);
    return sc_core::sc_time_to_pending_activity();
}

bool HartTurn::activity_now() {
    const Aside aside(others_);
    return sc_core::sc_pending_activity_at_current_time();
}

bool HartTurn::activity() {
    if (std::ranges::any_of(others_, [](const HartTurn* other) { return !other->idle_; })) {
        return true;
    }
    const Aside aside(others_);
    return sc_core::sc_pending_activity();
}

} // namespace pes
