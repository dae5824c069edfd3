// SPDX-License-Identifier: Apache-2.0
// PAPI's view of the CVA6 profile.
#include "hw/interface/pmu/profile_cva6.h"
#include "hw/interface/pmu/presets_cva6.h"

#include "firmware/papi/profile.h"

namespace pes::papi {

namespace {

constexpr auto kNatives = natives_of<kCva6Events>();
constexpr auto kPresets = presets_of<kCva6Presets>(kNatives);

constexpr uint64_t kIntegerSelector = 20;

} // namespace

const Profile kCva6{
    .name = "cva6",
    .vendor = "OpenHW Group",
    .model = "CVA6",
    .natives = kNatives.row,
    .native_count = decltype(kNatives)::kCount,
    .presets = kPresets.row,
    .preset_count = decltype(kPresets)::kCount,
    .signature = kIntegerSelector,
};

} // namespace pes::papi
