// SPDX-License-Identifier: Apache-2.0
// The software trace modules of a platform: one per hart, each with a link to its own host file.
#pragma once

#include "hw/bus/router.h"
#include "hw/core/hart_module.h"
#include "hw/trace/systemc/software_trace_module.h"
#include "platform/config/config.h"
#include "platform/soc/trace/probe_channel.h"
#include "platform/soc/trace/trace_setup.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace pes {

class OutputFile;

class SoftwareTraceSystem {
  public:
    /// During elaboration; maps the modules into the router and gives the harts their CSR. `files`
    /// by hart; empty: nobody reads. All that is referred to outlives it.
    SoftwareTraceSystem(const PlatformConfig& config, const ClockDomain& clock, Router& router,
                        std::span<HartModule* const> harts, std::span<OutputFile* const> files);

    /// Activates all modules before the next instruction, as a debugger would.
    void set_up(ThreadTracking tracking, Cycle at = 0);
    /// The run has ended: delivers everything in flight.
    void finish();

    std::vector<trace::SoftwareTraceCounts> counts() const; ///< by hart
    std::uint64_t unread_bytes() const;                     ///< that left without a file
    void state(Archive& archive);                           ///< of a checkpoint

  private:
    class Link : public trace::SoftwareTracedHart {
      public:
        explicit Link(Hart& hart) : hart_(hart) {}
        std::uint64_t thread_pointer() const override {
            constexpr RegisterIndex kThreadPointer = 4;
            return hart_.state().x[kThreadPointer];
        }
        void attach(HartObserver& observer) override { hart_.add_observer(observer); }
        void detach(HartObserver& observer) override { hart_.remove_observer(observer); }

      private:
        Hart& hart_;
    };

    struct Unit {
        Unit(const std::string& name, const PlatformConfig& config, const ClockDomain& clock,
             Hart& hart, unsigned index, OutputFile* file);

        ProbeChannel channel;
        Link link;
        trace::SoftwareTraceModule module;
    };

    std::deque<Unit> units_; ///< by hart
};

} // namespace pes
