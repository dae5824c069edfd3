// SPDX-License-Identifier: Apache-2.0
// What an encoder does to the hart that it traces.
#pragma once

#include "hw/core/hart_module.h"
#include "hw/trace/systemc/trace_encoder_module.h"
#include "platform/soc/trace/trace_blocks.h"

#include <array>

namespace pes::kit {

class TracedHart : public trace::HartControl {
  public:
    explicit TracedHart(HartModule& module) : module_(module) {}

    Address pc() const override { return module_.hart().state().pc; }
    std::array<std::uint64_t, trace::kEventCounters> counters(Cycle at) override {
        return traced_counters(module_.hart(), at);
    }
    void wait_until(Cycle at) override { module_.wait_until(at); }
    void let_sinks_run(Cycle at) override { module_.wait_until(at); }
    void go_on() override { module_.go_on(); }
    void hold_until(Cycle at) override { module_.hart().hold_until(at); }
    void attach(HartObserver& observer) override { module_.hart().add_observer(observer); }
    void detach(HartObserver& observer) override { module_.hart().remove_observer(observer); }

  private:
    HartModule& module_;
};

} // namespace pes::kit
