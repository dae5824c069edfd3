// SPDX-License-Identifier: Apache-2.0
// The binding between keys and members of PlatformConfig: one row a setting. Parsing, validation,
// printing and documentation are loops over this table. Devices bring their rows themselves
// (hw/common/device/description.h).
#pragma once

#include "hw/common/device/setting.h"
#include "platform/config/config.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace pes {

inline constexpr unsigned kPhysicalBits = 56; ///< Sv39, privileged specification 12.4
inline constexpr std::uint64_t kPageBytes = 4096;

/// The member behind a setting.
using Slot =
    std::variant<bool*, std::uint32_t*, std::uint64_t*, ExecutionPath*, CoreGeneration*,
                 UpstreamDefect*, PredictorsOnTrap*, PmpNapot*, WfiInterrupt*, NativePaths*,
                 CounterModel*, trace::Protocol*, trace::TimestampDialect*, trace::RegisterSet*,
                 Isa*, const PmuProfile**, std::shared_ptr<const ProfileFile>*>;

struct Setting {
    std::string_view key;
    Slot (*slot)(PlatformConfig&, const Setting&);
    Format format;
    std::string_view description;
    std::uint64_t minimum = 0;
    std::uint64_t maximum = std::numeric_limits<std::int64_t>::max(); ///< TOML's largest integer
    std::span<const std::string_view> choices{}; ///< of Format::Choice, in the enumeration's order
    // Of a device's own setting: which row of which device.
    std::size_t device = 0;
    std::size_t row = 0;
};

/// All of them; rows of one table stand together.
std::span<const Setting> settings();

/// An integer as TOML writes it and, for sizes, KiB, MiB or GiB behind it; nothing if `text` is no
/// such number.
std::optional<std::uint64_t> parse_number(std::string_view text, Format format);

/// Whether TOML writes this value of the setting in quotes: a name, or a size with a suffix.
bool is_text(const Setting& setting, std::string_view value);

/// Null if there is none.
const Setting* find_setting(std::string_view key);

/// The known key with the smallest edit distance.
/// Empty if none is near.
std::string_view nearest_key(std::string_view key);

/// Stores `text` or throws UserError that names key, value and expectation.
void assign(const Setting& setting, PlatformConfig& config, std::string_view text,
            std::string_view origin);

/// The value as TOML prints it.
std::string print_value(const Setting& setting, const PlatformConfig& config);

/// "a whole number from 1 to 64", for messages and for comments.
std::string expectation(const Setting& setting);

} // namespace pes
