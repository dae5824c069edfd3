// SPDX-License-Identifier: Apache-2.0
// A root that `debootstrap --foreign` has made: without its second stage only what Debian requires
// is unpacked, and the packages of all else lie beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace pes {

/// One sentence, if packages of such a root are not unpacked.
std::optional<std::string> why_incomplete(const std::filesystem::path& root);

} // namespace pes
