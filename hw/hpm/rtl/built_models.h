// SPDX-License-Identifier: Apache-2.0
// The RTL that this build contains. Parameters of RTL are fixed when it is Verilated, so there is
// one model a shape; PES_RTL_SHAPES names the shapes, PES_FOREIGN_RTL another core's counters.
#pragma once

#include "hw/hpm/counter_config.h"
#include "hw/hpm/profile_cv32e40p.h"
#include "hw/hpm/rtl_model.h"

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
    RegisterSet registers = RegisterSet::Hpm;
};

/// A row of such a table for pes_pcer, whose shape is fixed.
constexpr BuiltModel pcer_model(std::unique_ptr<RtlModel> (*make)(), bool shared) {
    const PmuProfile& profile = shared ? kCv32e40pAsicProfile : kCv32e40pProfile;
    return {profile.programmable, profile.width,    false, RtlOrigin::Own, make, profile.sscofpmf,
            profile.smcntrpmf,    profile.registers};
}

/// The RTL of a PCER unit has its events built in: a profile with others has none.
constexpr bool has_pcer_events(const PmuProfile& profile) {
    return std::equal(profile.begin(), profile.end(), kCv32e40pProfile.begin(),
                      kCv32e40pProfile.end(), [](const EventRow& left, const EventRow& right) {
                          return left.selector == right.selector && left.source == right.source;
                      });
}

/// Empty if the project was built without Verilator.
std::span<const BuiltModel> built_models();

/// The model of the shape that `config` asks for, or null.
inline const BuiltModel* find_shape(std::span<const BuiltModel> models,
                                    const CounterConfig& config) {
    const RegisterSet registers = config.profile->registers;
    const auto found = std::ranges::find_if(models, [&](const BuiltModel& model) {
        if (registers != RegisterSet::Hpm || model.registers != RegisterSet::Hpm) {
            return model.registers == registers && has_pcer_events(*config.profile);
        }
        return model.programmable == config.programmable && model.width == config.width &&
               model.write_freezes == config.write_freezes && model.sscofpmf == config.sscofpmf &&
               model.smcntrpmf == config.smcntrpmf;
    });
    return found == models.end() ? nullptr : &*found;
}

} // namespace pes
