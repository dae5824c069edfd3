// SPDX-License-Identifier: Apache-2.0
// A setting of a device, as one row: the platform parses, checks, prints and documents it.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

namespace pes {

/// The notation of a value and the rule that it must obey.
enum class Format : std::uint8_t {
    Switch,      ///< true, false
    Count,       ///< whole number
    Cycles,      ///< whole number of clock cycles
    Hertz,       ///< whole number that divides 10^12: a period is a whole number of picoseconds
    Power,       ///< power of two
    Bytes,       ///< whole number, or with a suffix KiB, MiB, GiB
    Pages,       ///< as Bytes, multiple of 4096
    Location,    ///< physical address, multiple of 4096, printed in hexadecimal
    Csr,         ///< number of a custom user register, printed in hexadecimal
    Choice,      ///< one of the setting's names
    Isa,         ///< ISA string
    Profile,     ///< name of a PMU profile that is built in
    ProfileFile, ///< name of its file; empty: none
};

struct DeviceSetting {
    std::string_view key;                                     ///< below the device's table
    std::variant<bool*, std::uint32_t*, std::uint64_t*> slot; ///< the member it sets
    Format format;                                            ///< not Choice, not Isa
    std::string_view description;
    std::uint64_t minimum = 0;
    std::uint64_t maximum = std::numeric_limits<std::int64_t>::max(); ///< TOML's largest integer
    std::string_view macro{}; ///< its name in the platform header for firmware; empty: left out
};

} // namespace pes
