// SPDX-License-Identifier: Apache-2.0
// SystemC side of a sink unit: its one process, which wakes when the unit has something to do
// (about once a burst), and the bus master of its memory sink.
//
// A sink that can lag does not wake by itself, so that harts need not stop for it, unless somebody
// follows it in kernel time. A reader of its state or of the room in its source calls serve_until()
// first. A sink that writes main memory can lag while its buffer is the lazy range of that memory.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/lazy_range.h"
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

class TraceSinkModule : public sc_core::sc_module,
                        private SinkClock,
                        private MemoryPort,
                        private LateWriter {
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

    /// The block sends messages or not, or its buffer may have moved: a buffer that is in use and
    /// lies in plain memory as a whole becomes a lazy range.
    void renew_lazy_range(bool in_use);

    /// From here on it wakes in kernel time, until unfollow() has been called as often.
    void follow();
    void unfollow() { --followers_; }
    /// True if it needs no follower for what a hart sends ahead of kernel time, as long as the hart
    /// brings it up first.
    bool may_lag() const { return would_lag() && !unit_.stops_when_full(); }
    /// True while it does.
    bool lags() const { return followers_ == 0 && would_lag(); }

    /// Of a checkpoint; refuses in the middle of a burst. The source comes first.
    void state(Archive& archive);

  private:
    bool would_lag() const {
        return unit_.can_lag() || (lazy_.memory != nullptr && unit_.can_lag_in_memory());
    }
    bool can_lag() const { return unit_.can_lag() || lags(); }
    void claim(const MemoryRange& range);
    void run();
    void wake_at(Cycle at) override;
    Answer write(Address address, std::span<const std::uint8_t> bytes) override;
    void catch_up(Cycle at) override { bring_up_to(at); }

    const ClockDomain clock_;
    TraceSink unit_;
    PullNotice& notice_;
    const std::function<void()> kernel_changed_;
    unsigned followers_ = 0;
    bool in_burst_ = false; ///< over the bus: the target may wait
    MemoryRange wanted_{};  ///< as a lazy range
    struct {
        LazyRange* memory = nullptr; ///< null: it has not been granted
        std::byte* bytes = nullptr;
        Cycle latency = 0;
    } lazy_;
    sc_core::sc_event wake_;
    tlm::tlm_generic_payload payload_;
};

} // namespace pes::trace
