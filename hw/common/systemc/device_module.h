// SPDX-License-Identifier: Apache-2.0
// SystemC shell of every device: TLM target, interrupt outputs and, for an interrupt controller,
// source lines as inputs. Its one process wakes only in the cycle of the device's next change of
// state.
#pragma once

#include "hw/common/device/device.h"
#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"
#include "hw/common/systemc/register_target.h"

#include <memory>
#include <systemc>

namespace pes {

class DeviceModule : public sc_core::sc_module {
  public:
    /// `latency`: cycles that a register access costs its initiator.
    DeviceModule(const sc_core::sc_module_name& name, std::unique_ptr<Device> device,
                 unsigned output_count, const ClockDomain& clock, AccessLatency latency);

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    sc_core::sc_vector<LevelOut> outputs;
    /// Source lines of an interrupt controller.
    LevelSink& sources() { return sources_; }
    /// Machine timer only: Device::set_stimecmp().
    void set_stimecmp(unsigned hart, std::uint64_t value, Cycle at);

    Device& device() { return *device_; }
    const Device& device() const { return *device_; }
    /// Of a checkpoint: the device, which goes on from the present cycle.
    void state(Archive& archive);

  private:
    class Sources : public LevelSink {
      public:
        explicit Sources(DeviceModule& owner) : owner_(owner) {}
        void set_level(unsigned line, bool level, Cycle at) override;

      private:
        DeviceModule& owner_;
    };

    void update();
    void schedule();

    const ClockDomain clock_;
    std::unique_ptr<Device> device_;
    Sources sources_;
    LevelOutputs lines_;
    RegisterTarget target_;
    sc_core::sc_event wake_;
};

} // namespace pes
