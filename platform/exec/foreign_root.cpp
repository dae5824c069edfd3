// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/foreign_root.h"

#include <fstream>
#include <spdlog/fmt/fmt.h>
#include <vector>

namespace pes {

namespace fs = std::filesystem;

namespace {

/// Of those that debootstrap lists. Each package of Debian has a folder of this name (Debian
/// Policy, 12.3 and 12.5).
std::vector<std::string> packed_packages(const fs::path& root) {
    std::vector<std::string> packed;
    for (const char* const list : {"required", "base"}) {
        std::ifstream names(root / "debootstrap" / list);
        for (std::string name; names >> name;) {
            if (!fs::exists(root / "usr/share/doc" / name)) {
                packed.push_back(name);
            }
        }
    }
    return packed;
}

} // namespace

std::optional<std::string> why_incomplete(const fs::path& root) {
    const std::vector<std::string> packed = packed_packages(root);
    if (packed.empty()) {
        return std::nullopt;
    }
    const std::string archives = (root / "var/cache/apt/archives").string();
    return fmt::format("{} packages that debootstrap has fetched for '{}' are not unpacked, '{}' "
                       "among them: dpkg -x unpacks those of '{}'",
                       packed.size(), root.string(), packed.front(), archives);
}

} // namespace pes
