// SPDX-License-Identifier: Apache-2.0
// The description of a device: what the platform must know to configure it, to describe it to
// software and to connect it. One object stands for one device of one configuration and holds the
// device's own settings, its address range and its latency.
//
// To add a device: derive a description, define `std::unique_ptr<DeviceDescription>
// describe_NAME()` next to it, and name the device in the CMakeLists.txt of its folder
// (pes_add_device). Nothing else in the platform changes; examples/device is a complete one.
#pragma once

#include "hw/common/device/block_store.h"
#include "hw/common/device/console_input.h"
#include "hw/common/device/device.h"
#include "hw/common/device/device_memory.h"
#include "hw/common/device/message_server.h"
#include "hw/common/device/setting.h"
#include "hw/common/device/tree_node.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// Properties that are the same in every configuration.
struct DeviceTraits {
    std::string_view name;  ///< of the device, of its table of settings and of its wave group
    std::string_view title; ///< as used in texts: "first byte of the UART"
    // Bounds of the setting NAME.size.
    std::uint64_t least_bytes = 0x1000;
    std::uint64_t most_bytes = 0x100'0000;
    /// Behind a bridge that splits 64-bit accesses, each of which then costs one more cycle.
    bool narrow = false;
    /// Gets a phandle, because other nodes of the device tree refer to it.
    bool has_phandle = false;
    /// The console, which becomes /chosen/stdout-path of the device tree.
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

/// Phandles that a device's node may use.
struct TreePlace {
    unsigned harts = 1;
    std::uint32_t phandle = 0;              ///< its own, if has_phandle
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

/// What the platform gives a device when it builds it.
struct DeviceHost {
    unsigned harts = 1;
    std::uint64_t clock_hz = 1; ///< of the harts
    std::function<void(std::uint8_t byte)> console{};
    ConsoleInput* console_input = nullptr;          ///< null: nobody says anything
    std::function<void(std::uint64_t code)> exit{}; ///< ends the run
    DeviceMemory* memory = nullptr;                 ///< for a device that is a master
    MessageServer* share = nullptr;                 ///< a folder of the host; null: there is none
    MessageServer* root = nullptr;                  ///< likewise, that is a root of files
    MessageServer* control = nullptr; ///< files of the host program; null: there are none
    BlockStore* disk = nullptr;       ///< null: there is none
    std::function<void(std::span<const std::byte> bytes)> virtio_console{}; ///< empty: likewise
    ConsoleInput* virtio_console_input = nullptr; ///< null: nobody says anything
};

/// The source of mtime for the harts.
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

    /// The device's own settings, which follow base, size and latency.
    virtual std::vector<DeviceSetting> settings() { return {}; }
    /// An error in the settings for a platform with this many harts, as a sentence with the key,
    /// the value and what was expected. Called when each setting is inside its own range.
    virtual std::optional<std::string> mistake(unsigned /*harts*/) const { return std::nullopt; }

    /// False: the platform does not have the device, only its settings.
    virtual bool present() const { return true; }
    /// The interrupt outputs; index = line.
    virtual std::vector<DeviceLine> lines(unsigned /*harts*/) const { return {}; }
    /// The node below /soc; without it, the device tree does not show the device.
    virtual std::optional<TreeNode> node(const TreePlace& /*place*/) const { return std::nullopt; }
    /// Nodes below the root.
    virtual std::vector<TreeNode> root_nodes(const TreePlace& /*place*/) const { return {}; }

    virtual std::unique_ptr<Device> build(const DeviceHost& host) const = 0;

    // Two services, each provided by one device.
    /// Number of sources of the interrupt controller; 0 for every other device.
    virtual unsigned interrupt_sources() const { return 0; }
    /// For the machine timer only.
    virtual std::optional<MachineTime> machine_time() const { return std::nullopt; }

    MemoryRange range;
    Cycle latency; ///< cycles that an access to a register adds

  protected:
    DeviceDescription(const DeviceDescription&) = default;
    DeviceDescription& operator=(const DeviceDescription&) = default;
};

} // namespace pes
