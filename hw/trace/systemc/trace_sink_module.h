// SPDX-License-Identifier: Apache-2.0
// SystemC side of a sink unit: its one process, which wakes when the unit has something to do
// (about once a burst), and the bus master of its memory sink.
//
// A sink that can lag does not wake by itself, so that harts need not stop for it, unless somebody
// follows it in kernel time. Whoever looks at it or at the room in its source calls serve_until()
// first. A sink that writes main memory can lag while a guard has everybody wait who looks at the
// buffer there.
#pragma once

#include "hw/common/systemc/clock_domain.h"
#include "hw/trace/sinks/trace_sink.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>

namespace pes::trace {

/// Between sinks, which take messages, and harts, which wait for room. One for all of a system,
/// since a message may be on its way through several funnels.
class PullNotice {
  public:
    void pulled() {
        if (waiting_ != 0) {
            event_.notify(sc_core::SC_ZERO_TIME);
        }
    }
    /// Until a sink has taken messages out of some source. Called in a thread.
    void wait() {
        ++waiting_;
        sc_core::wait(event_);
        --waiting_;
    }

  private:
    sc_core::sc_event event_;
    unsigned waiting_ = 0;
};

class TraceSinkModule : public sc_core::sc_module, private SinkClock, private MemoryPort {
  public:
    /// `probe` may be null without that sink. `kernel_changed` is called after a wake-up has been
    /// asked for: a hart that runs ahead of the kernel must not pass it.
    TraceSinkModule(const sc_core::sc_module_name& name, const SinkConfig& config,
                    const ClockDomain& clock, ProbeOutput* probe, PullNotice& notice,
                    std::function<void()> kernel_changed);

    tlm_utils::simple_initiator_socket<TraceSinkModule> bus;

    TraceSink& unit() { return unit_; }
    /// Does at once what is due up to `at`, which may lie ahead of kernel time.
    void serve_until(Cycle at);
    /// The same for a sink that can lag; others keep kernel time.
    void bring_up_to(Cycle at) {
        if (unit_.next_wake() <= at && can_lag()) {
            serve_until(at);
        }
    }

    /// The buffer in memory that wants a guard while the block sends messages; an empty range if
    /// there is none, or if it is not plain memory as a whole.
    MemoryRange buffer_to_guard();
    enum class Buffer : std::uint8_t { Open, Guarded };
    void set_buffer(Buffer buffer);

    /// From here on it wakes by itself; each call wants one of unfollow().
    void follow();
    void unfollow() { --followers_; }

  private:
    bool can_lag() const {
        const bool guarded = buffer_ == Buffer::Guarded && followers_ == 0;
        return unit_.can_lag() || (guarded && unit_.can_lag_behind_guard());
    }
    bool is_plain_memory(const MemoryRange& range);
    void run();
    void wake_at(Cycle at) override;
    Answer write(Address address, std::span<const std::uint8_t> bytes) override;

    const ClockDomain clock_;
    TraceSink unit_;
    PullNotice& notice_;
    const std::function<void()> kernel_changed_;
    unsigned followers_ = 0;
    Buffer buffer_ = Buffer::Open;
    MemoryRange asked_{}; ///< is_plain_memory() said ...
    bool plain_ = false;  ///< ... this
    sc_core::sc_event wake_;
    tlm::tlm_generic_payload payload_;
};

} // namespace pes::trace
