// SPDX-License-Identifier: Apache-2.0
#include "hw/finisher/finisher_device.h"

#include "hw/finisher/finisher.h"
#include "hw/interface/maps/finisher.h"

namespace pes {

std::unique_ptr<DeviceDescription> describe_finisher() {
    return std::make_unique<FinisherDescription>();
}

FinisherDescription::FinisherDescription() : DeviceDescription({0x0010'0000, 0x1000}, 0) {}

std::unique_ptr<DeviceDescription> FinisherDescription::copy() const {
    return std::make_unique<FinisherDescription>(*this);
}

const DeviceTraits& FinisherDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "finisher", .title = "test finisher", .has_phandle = true};
    return kTraits;
}

std::optional<TreeNode> FinisherDescription::node(const TreePlace& place) const {
    return TreeNode("test", range.base)
        .texts("compatible", {"sifive,test1", "sifive,test0", "syscon"})
        .range(range)
        .cells("phandle", {place.phandle});
}

std::vector<TreeNode> FinisherDescription::root_nodes(const TreePlace& place) const {
    const auto action = [&place](const char* name, const char* compatible, std::uint32_t value) {
        return TreeNode(name)
            .text("compatible", compatible)
            .cells("regmap", {place.phandle})
            .cells("offset", {0})
            .cells("value", {value});
    };
    return {action("poweroff", "syscon-poweroff", finisher::kPass),
            action("reboot", "syscon-reboot", finisher::kReset)};
}

std::unique_ptr<Device> FinisherDescription::build(const DeviceHost& host) const {
    return std::make_unique<Finisher>(host.exit);
}

} // namespace pes
