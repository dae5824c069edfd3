// SPDX-License-Identifier: Apache-2.0
// What the hart says it is: the core that is modelled. perf chooses its tables of events by these
// numbers.
#pragma once

#include "hw/interface/riscv/isa.h"

#include <cstdint>

namespace pes::core_ids {

inline constexpr std::uint64_t kVendor = 0x602;     ///< mvendorid: OpenHW Group
inline constexpr std::uint64_t kArchitecture = 3;   ///< marchid: CVA6
inline constexpr std::uint64_t kImplementation = 0; ///< mimpid

/// In a device tree, unless a PMU profile is that of another core.
inline constexpr const char* kCompatible = "openhwgroup,cva6";

/// cv64a6_imafdc_sv39 of v5.3.0. Of ZKN, which is on in this target, it has what Zbkb asks for.
inline constexpr Isa kIsa{.xlen = 64,
                          .extensions = {IsaExtension::M, IsaExtension::A, IsaExtension::F,
                                         IsaExtension::D, IsaExtension::C, IsaExtension::Zicond,
                                         IsaExtension::Zcb, IsaExtension::Zba, IsaExtension::Zbb,
                                         IsaExtension::Zbc, IsaExtension::Zbkb, IsaExtension::Zbs}};

} // namespace pes::core_ids
