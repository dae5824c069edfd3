// SPDX-License-Identifier: Apache-2.0
// The files over which the agent in the guest and `pes-vp exec` talk (hw/interface/maps/
// linux_agent.h): a flat folder whose files are streams of the host.
#pragma once

#include "platform/share/share_tree.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pes {

/// A stream with a name; a function that is missing is an error for the guest. Offsets mean
/// nothing.
struct ControlFile {
    std::string name;
    /// Returns the bytes read; 0 at the end.
    std::function<std::size_t(std::span<std::byte> to)> read{};
    /// Returns the bytes written; of the others the guest hears when it writes them.
    std::function<std::size_t(std::span<const std::byte> from)> write{};
};

/// The root of the folder.
std::shared_ptr<ShareNode> make_control_folder(std::vector<ControlFile> files);

} // namespace pes
