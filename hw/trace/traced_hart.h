// SPDX-License-Identifier: Apache-2.0
// What an encoder needs of the hart that it traces.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>

namespace pes::trace {

class TracedHart {
  public:
    TracedHart() = default;
    TracedHart(const TracedHart&) = delete;
    TracedHart& operator=(const TracedHart&) = delete;
    virtual ~TracedHart() = default;

    /// A message is about to come in `at`: a sink that lags behind the hart does what it does
    /// before.
    virtual void about_to_send(Cycle /*at*/) {}

    /// The FIFO looks full at `at`, but the hart may have run ahead of the sink: lets the rest of
    /// the system come up to `at`, so that what the sink takes by then is taken. Returns at once if
    /// it has.
    virtual void catch_up(Cycle at) = 0;

    /// The FIFO is full and the hart is to be held from `at` on: comes back when a message has been
    /// pulled, with the cycle of that (at least `at`), or with kNever if none ever will be. What
    /// the hart does next happens no earlier.
    virtual Cycle wait_for_pull(Cycle at) = 0;

    /// Trace has been ended from elsewhere at `at`: a wait in progress returns too.
    virtual void stop_waiting(Cycle at) = 0;

    /// The instruction that the hart is at.
    virtual Address pc() const = 0;
};

} // namespace pes::trace
