// SPDX-License-Identifier: Apache-2.0
// The RTL that this build contains. Parameters of RTL are fixed when it is Verilated, so there is
// one model a shape; PES_RTL_SHAPES names the shapes, PES_FOREIGN_RTL another core's counters.
#pragma once

#include "hw/hpm/counter_config.h"
#include "hw/hpm/rtl/rtl_profiles.h"
#include "hw/hpm/rtl_model.h"
#include "hw/interface/pmu/profile_cv32e40p.h"

#include <algorithm>
#include <span>

namespace pes {

enum class RtlOrigin : std::uint8_t { Own, Foreign };

struct BuiltModel {
    unsigned programmable;
    unsigned width;
    bool write_freezes;
    RtlOrigin origin;
    std::unique_ptr<RtlModel> (*make)();
    bool sscofpmf = true;
    bool smcntrpmf = true;
    /// The very table that the RTL was made of: another one of this name is not in this RTL.
    const PmuProfile* profile = &kCva6Profile;
};

/// A row of such a table for pes_pcer, whose shape is fixed.
constexpr BuiltModel pcer_model(std::unique_ptr<RtlModel> (*make)(), const PmuProfile& profile) {
    return {.programmable = profile.programmable,
            .width = profile.width,
            .write_freezes = profile.write_freezes,
            .origin = RtlOrigin::Own,
            .make = make,
            .sscofpmf = profile.sscofpmf,
            .smcntrpmf = profile.smcntrpmf,
            .profile = &profile};
}

/// Empty if the project was built without Verilator.
std::span<const BuiltModel> built_models();

/// The model with the shape of `config`, or null. A PCER unit has only one shape.
inline const BuiltModel* find_shape(std::span<const BuiltModel> models,
                                    const CounterConfig& config) {
    const auto found = std::ranges::find_if(models, [&config](const BuiltModel& model) {
        if (model.profile != config.profile || model.profile->registers != RegisterSet::Hpm) {
            return model.profile == config.profile;
        }
        return model.programmable == config.programmable && model.width == config.width &&
               model.write_freezes == config.write_freezes && model.sscofpmf == config.sscofpmf &&
               model.smcntrpmf == config.smcntrpmf;
    });
    return found == models.end() ? nullptr : &*found;
}

} // namespace pes
