// SPDX-License-Identifier: Apache-2.0
// What a device says of itself: everything that the platform must know to configure it, to tell
// software about it and to connect it. One object is one device of one configuration; it holds the
// device's own settings beside the address range and the latency that every device has.
//
// To add a device: derive a description, define `std::unique_ptr<DeviceDescription>
// describe_NAME()` beside it, and name the device in the CMakeLists.txt of its folder
// (pes_add_device). Nothing else in the platform changes; examples/device is a complete one.
#pragma once

#include "hw/common/device/device.h"
#include "hw/common/device/setting.h"
#include "hw/common/device/tree_node.h"
#include "hw/interface/types.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// What is the same in every configuration.
struct DeviceTraits {
    std::string_view name;  ///< of the device, the table of its settings, its wave group
    std::string_view title; ///< in texts: "first byte of the UART"
    // Bounds of the setting NAME.size.
    std::uint64_t least_bytes = 0x1000;
    std::uint64_t most_bytes = 0x100'0000;
    /// Behind a bridge that takes 64-bit accesses apart, each costs a cycle more.
    bool narrow = false;
    /// Other nodes of the device tree refer to this one: it gets a phandle.
    bool has_phandle = false;
    /// The console: /chosen/stdout-path of the device tree.
    bool is_console = false;
};

/// An interrupt output and where it goes.
struct DeviceLine {
    enum class To : std::uint8_t {
        Hart,       ///< number: the bit of mip
        Controller, ///< number: the source
    };
    To to;
    unsigned number;
    unsigned hart = 0; ///< of To::Hart
};

/// What a device's node may refer to.
struct TreePlace {
    unsigned harts = 1;
    std::uint32_t phandle = 0;              ///< its own, if the traits ask for one
    std::uint32_t interrupt_controller = 0; ///< phandle of the PLIC
    std::uint32_t first_hart = 0;           ///< phandle of hart 0's interrupt controller

    /// interrupts-extended: for each hart these causes, in this order.
    std::vector<std::uint32_t> hart_interrupts(const std::vector<std::uint32_t>& causes) const {
        std::vector<std::uint32_t> cells;
        for (unsigned hart = 0; hart < harts; ++hart) {
            for (const std::uint32_t cause : causes) {
                cells.insert(cells.end(), {first_hart + hart, cause});
            }
        }
        return cells;
    }
};

/// The platform's side of a device when it is built.
struct DeviceHost {
    unsigned harts = 1;
    std::function<void(std::uint8_t byte)> console{};
    std::function<void(std::uint64_t code)> exit{}; ///< ends the run
};

/// Where the harts find mtime.
struct MachineTime {
    Address address = 0;
    Cycle cycles_per_tick = 1;
};

class DeviceDescription {
  public:
    DeviceDescription(const MemoryRange& default_range, Cycle default_latency)
        : range(default_range), latency(default_latency) {}
    virtual ~DeviceDescription() = default;

    virtual std::unique_ptr<DeviceDescription> copy() const = 0;
    virtual const DeviceTraits& traits() const = 0;

    /// The device's own settings, behind base, size and latency.
    virtual std::vector<DeviceSetting> settings() { return {}; }
    /// What is wrong with the settings on a platform with so many harts: a sentence that names the
    /// key, the value and what was expected. Each setting is inside its own range already.
    virtual std::optional<std::string> mistake(unsigned /*harts*/) const { return std::nullopt; }

    /// The interrupt outputs, by line.
    virtual std::vector<DeviceLine> lines(unsigned /*harts*/) const { return {}; }
    /// The node below /soc; without it, software does not learn of the device.
    virtual std::optional<TreeNode> node(const TreePlace& /*place*/) const { return std::nullopt; }
    /// Nodes below the root.
    virtual std::vector<TreeNode> root_nodes(const TreePlace& /*place*/) const { return {}; }

    virtual std::unique_ptr<Device> build(const DeviceHost& host) const = 0;

    // Two services have one device each.
    /// The interrupt controller: number of its sources; 0 for every other device.
    virtual unsigned interrupt_sources() const { return 0; }
    /// The machine timer.
    virtual std::optional<MachineTime> machine_time() const { return std::nullopt; }

    MemoryRange range;
    Cycle latency; ///< cycles that an access to a register adds

  protected:
    DeviceDescription(const DeviceDescription&) = default;
    DeviceDescription& operator=(const DeviceDescription&) = default;
};

} // namespace pes
