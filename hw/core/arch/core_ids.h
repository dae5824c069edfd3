// SPDX-License-Identifier: Apache-2.0
// What the hart says it is: the core that is modelled. perf chooses its tables of events by these
// numbers.
#pragma once

#include <cstdint>

namespace pes::core_ids {

inline constexpr std::uint64_t kVendor = 0x602;     ///< mvendorid: OpenHW Group
inline constexpr std::uint64_t kArchitecture = 3;   ///< marchid: CVA6
inline constexpr std::uint64_t kImplementation = 0; ///< mimpid

/// In a device tree, unless a PMU profile is that of another core.
inline constexpr const char* kCompatible = "openhwgroup,cva6";

} // namespace pes::core_ids
