// SPDX-License-Identifier: Apache-2.0
// PAPI's view of the SiFive U74.
#include "hw/interface/pmu/profile_u74.h"
#include "firmware/papi/profile.h"
#include "hw/interface/pmu/presets_u74.h"

namespace pes::papi {

namespace {

constexpr auto kU74Natives = natives_of<kU74Events>();
constexpr auto kU74PresetTable = presets_of<kU74Presets>(kU74Natives);

} // namespace

const Profile kU74{
    .name = "u74",
    .vendor = "SiFive",
    .model = "U74",
    .natives = kU74Natives.row,
    .native_count = decltype(kU74Natives)::kCount,
    .presets = kU74PresetTable.row,
    .preset_count = decltype(kU74PresetTable)::kCount,
    .signature = u74::select(u74::kRetired, 14),
};

} // namespace pes::papi
