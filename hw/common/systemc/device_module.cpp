// SPDX-License-Identifier: Apache-2.0
#include "hw/common/systemc/device_module.h"

#include "hw/common/systemc/notify_at.h"

#include <utility>

namespace pes {

DeviceModule::DeviceModule(const sc_core::sc_module_name& name, std::unique_ptr<Device> device,
                           unsigned output_count, const ClockDomain& clock, AccessLatency latency)
    : sc_core::sc_module(name), outputs("outputs", output_count), clock_(clock),
      device_(std::move(device)), sources_(*this), lines_(outputs),
      target_("target", device_->registers(), clock, latency, [this] { schedule(); }) {
    device_->connect(lines_);
    SC_HAS_PROCESS(DeviceModule);
    SC_METHOD(update);
    sensitive << wake_;
    dont_initialize();
}

void DeviceModule::Sources::set_level(unsigned line, bool level, Cycle at) {
    owner_.device_->set_source(line, level, at);
    owner_.schedule();
}

void DeviceModule::set_stimecmp(unsigned hart, std::uint64_t value, Cycle at) {
    device_->set_stimecmp(hart, value, at);
    schedule();
}

void DeviceModule::state(Archive& archive) {
    archive(*device_);
    if (!archive.saves()) {
        schedule();
    }
}

void DeviceModule::update() {
    device_->advance(clock_.now());
    schedule();
}

void DeviceModule::schedule() {
    // An access may have moved the next change: cancel the old wake-up.
    wake_.cancel();
    notify_at(wake_, clock_, device_->next_change());
}

} // namespace pes
