// SPDX-License-Identifier: Apache-2.0
// The test timer as a part of the platform: what it says of itself.
#include "examples/device/map.h"
#include "examples/device/test_timer.h"
#include "hw/common/device/description.h"
#include "hw/interface/maps/interrupts.h"

namespace pes {
namespace {

class TestTimerDescription : public DeviceDescription {
  public:
    TestTimerDescription() : DeviceDescription({TEST_TIMER_BASE, 0x1000}, 0) {}

    std::unique_ptr<DeviceDescription> copy() const override {
        return std::make_unique<TestTimerDescription>(*this);
    }
    const DeviceTraits& traits() const override {
        static constexpr DeviceTraits kTraits{.name = "test_timer", .title = "test timer"};
        return kTraits;
    }
    std::vector<DeviceSetting> settings() override {
        return {{.key = "cycles_per_tick",
                 .slot = &config_.cycles_per_tick,
                 .format = Format::Cycles,
                 .description = "hart cycles for one tick",
                 .minimum = 1,
                 .maximum = 1'000'000},
                {.key = "source",
                 .slot = &source_,
                 .format = Format::Count,
                 .description = "interrupt source of the PLIC",
                 .maximum = 1022}};
    }
    std::vector<DeviceLine> lines(unsigned /*harts*/) const override {
        return {{DeviceLine::To::Controller, source_}};
    }
    std::optional<TreeNode> node(const TreePlace& place) const override {
        return TreeNode("timer", range.base)
            .text("compatible", "pes-vp,test-timer")
            .range(range)
            .cells("interrupts", {irq::id_of(source_)})
            .cells("interrupt-parent", {place.interrupt_controller});
    }
    std::unique_ptr<Device> build(const DeviceHost& /*host*/) const override {
        return std::make_unique<TestTimer>(config_);
    }

  private:
    TestTimerConfig config_;
    std::uint32_t source_ = TEST_TIMER_SOURCE;
};

} // namespace

std::unique_ptr<DeviceDescription> describe_test_timer() {
    return std::make_unique<TestTimerDescription>();
}

} // namespace pes
