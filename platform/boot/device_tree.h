// SPDX-License-Identifier: Apache-2.0
// The flattened device tree that a program gets in a1: what the platform is built of, in the form
// of the Devicetree Specification 0.4 and the bindings that Linux and OpenSBI read. The node
// `riscv,pmu` carries the event tables of the PMU profile (OpenSBI, docs/pmu_support.md).
#pragma once

#include "platform/config/config.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pes {

using DeviceTree = std::vector<std::byte>;

/// What the loader adds to /chosen.
struct BootArguments {
    std::string command_line{};          ///< bootargs; empty: none
    std::optional<MemoryRange> initrd{}; ///< linux,initrd-start and -end
};

DeviceTree make_device_tree(const PlatformConfig& config);

/// A tree from a file, checked whole. Throws UserError.
DeviceTree read_device_tree(const std::filesystem::path& file);

/// Sets the properties of /chosen that `arguments` has; the others stay. Throws UserError, which
/// names `origin`, if the tree does not take them.
void set_boot_arguments(DeviceTree& tree, const BootArguments& arguments,
                        const std::string& origin);

/// The ISA string of the harts (riscv,isa).
std::string isa_string(const PlatformConfig& config);

} // namespace pes
