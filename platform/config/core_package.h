// SPDX-License-Identifier: Apache-2.0
// A configuration package of CVA6 as settings of the platform: what each of its parameters means
// to the model, one row each.
#pragma once

#include "hw/core/arch/core_ids.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

struct PackageParameter {
    enum class Effect : std::uint8_t {
        Sets,      ///< `target` is the key of a setting
        Extends,   ///< `target` are extensions of hart.isa, with '_' between them
        Fixed,     ///< the model has the value `target` alone; another one is an error
        Note,      ///< no result changes with it; a value other than `target` is told
        Elsewhere, ///< its value is not looked at: the platform or another parameter decides
    };
    enum class Scale : std::uint8_t { None, Half, Bytes, PowerOfTwo, Flag, NotFlag };

    std::string_view name;
    Effect effect;
    std::string_view target;
    std::string_view meaning; ///< for messages: of a setting, what another value than `usual` asks
    Scale scale = Scale::None;
    std::string_view usual{}; ///< of a setting: empty if any value is
};

/// Of all packages of CVA6 v5.3.0 and of its newest tree.
std::span<const PackageParameter> package_parameters();

struct CorePackage {
    std::vector<std::string> assignments; ///< "key=value", as of --set
    std::vector<std::string> notes;       ///< what has no effect and differs, a sentence each
    std::string elsewhere;                ///< parameters that the platform decides; empty: none
};

/// Throws UserError: in one sentence all that the model cannot be.
/// Extensions that the package does not name are those of `isa`.
CorePackage read_core_package(const std::filesystem::path& file, const Isa& isa = core_ids::kIsa);

/// Its assignments; prints its notes. What a package does not name stays as it is.
std::vector<std::string> core_package_settings(const std::filesystem::path& file,
                                               const Isa& isa = core_ids::kIsa);

/// The key that names a package. It is no setting: what it stands for is in other keys then, where
/// --show-config prints it.
inline constexpr std::string_view kCorePackageKey = "core_package";

/// Puts the settings of the last "core_package=FILE" in front of all others, and takes the key out.
std::vector<std::string> with_core_package(std::span<const std::string> assignments,
                                           const Isa& isa = core_ids::kIsa);

} // namespace pes
