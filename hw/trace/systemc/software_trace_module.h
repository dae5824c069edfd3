// SPDX-License-Identifier: Apache-2.0
// SystemC shell of a software trace module: register block as a TLM target, and what watches the
// hart's thread pointer. It has no process and notifies no event.
#pragma once

#include "hw/common/retirement.h"
#include "hw/common/systemc/register_target.h"
#include "hw/trace/software/software_trace.h"

namespace pes::trace {

/// The hart whose software writes the events.
class SoftwareTracedHart {
  public:
    SoftwareTracedHart() = default;
    SoftwareTracedHart(const SoftwareTracedHart&) = delete;
    SoftwareTracedHart& operator=(const SoftwareTracedHart&) = delete;
    virtual ~SoftwareTracedHart() = default;

    virtual std::uint64_t thread_pointer() const = 0; ///< x4
    virtual void attach(HartObserver& observer) = 0;
    virtual void detach(HartObserver& observer) = 0;
};

class SoftwareTraceModule : public sc_core::sc_module {
  public:
    /// `latency`: cycles that a register access costs.
    SoftwareTraceModule(const sc_core::sc_module_name& name, const SoftwareTraceConfig& config,
                        const ClockDomain& clock, SoftwareTracedHart& hart, ProbeOutput& link,
                        Cycle latency);

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    SoftwareTrace& unit() { return unit_; }
    const SoftwareTrace& unit() const { return unit_; }

    void state(Archive& archive); ///< of a checkpoint

  private:
    /// Watches the hart only while threads are tracked: otherwise the hart is as fast as without.
    class ThreadTracker : public HartObserver {
      public:
        ThreadTracker(SoftwareTrace& unit, SoftwareTracedHart& hart) : unit_(unit), hart_(hart) {}
        void retired(const Retirement& retirement) override {
            constexpr std::uint8_t kThreadPointer = 4;
            if (retirement.destination == kThreadPointer) [[unlikely]] {
                unit_.thread_switched(hart_.thread_pointer(), retirement.cycle);
            }
        }

      private:
        SoftwareTrace& unit_;
        SoftwareTracedHart& hart_;
    };

    SoftwareTracedHart& hart_;
    SoftwareTrace unit_;
    ThreadTracker tracker_;
    RegisterTarget target_;
};

} // namespace pes::trace
