// SPDX-License-Identifier: Apache-2.0
// What the trace blocks have in common between which messages pass: harts that wait for room, and
// the end.
#pragma once

#include "hw/core/hart_module.h"
#include "hw/trace/systemc/trace_encoder_module.h"
#include "hw/trace/systemc/trace_funnel_module.h"
#include "platform/config/config.h"
#include "platform/soc/trace/trace_blocks.h"
#include "platform/soc/trace/trace_report.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pes::kit {

class TraceGroup {
  public:
    trace::PullNotice& notice() { return notice_; }
    void add(HartModule& hart, trace::TraceEncoderModule& encoder) {
        harts_.push_back(&hart);
        encoders_.push_back(&encoder);
    }
    void remove(trace::TraceEncoderModule& encoder) { std::erase(encoders_, &encoder); }
    /// What its encoders have sent so far.
    std::vector<trace::SenderCounts> counts() const {
        std::vector<trace::SenderCounts> list;
        for (trace::TraceEncoderModule* encoder : encoders_) {
            list.push_back(encoder->encoder().counts());
        }
        return list;
    }
    void add(trace::TraceFunnelModule& funnel) { funnels_.push_back(&funnel); }
    void has_started() { started_ = true; }

    void kernel_changed() {
        for (HartModule* hart : harts_) {
            hart->kernel_changed();
        }
    }
    /// One of the harts has ended; with the last one, everything in flight is delivered.
    void hart_ended(Cycle at);

  private:
    void drain(Cycle at);

    trace::PullNotice notice_;
    std::vector<HartModule*> harts_;
    std::vector<trace::TraceEncoderModule*> encoders_;
    std::vector<trace::TraceFunnelModule*> funnels_;
    bool started_ = false;
    std::size_t ended_ = 0;
    Cycle end_ = 0;
};

/// The probe of a block, which may be connected after the block has been built.
class ProbeRelay : public trace::ProbeOutput {
  public:
    void send(std::span<const std::uint8_t> bytes) override {
        if (to) {
            to(bytes);
        }
    }
    std::function<void(std::span<const std::uint8_t>)> to{}; ///< empty: nobody reads
};

} // namespace pes::kit
