// SPDX-License-Identifier: Apache-2.0
// Whole files as they are: raw firmware and kernel images, initial RAM disks, device trees.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace pes {

/// The bytes of a file that is not empty. `what` names it in the UserError ("initrd").
std::vector<std::byte> read_image(const std::filesystem::path& file, std::string_view what);

} // namespace pes
