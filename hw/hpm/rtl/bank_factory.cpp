// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl/bank_factory.h"

#include "hw/common/host/user_error.h"
#include "hw/hpm/rtl/built_models.h"
#include "hw/hpm/rtl_bank.h"
#include "hw/hpm/tlm_bank.h"

#include <algorithm>
#include <string>

namespace pes {
namespace {

std::string describe(unsigned programmable, unsigned width, bool write_freezes) {
    return std::to_string(programmable) + ":" + std::to_string(width) + ":" +
           (write_freezes ? "1" : "0");
}

RtlFactory find_model(const CounterConfig& config) {
    const auto models = built_models();
    if (models.empty()) {
        throw UserError("counters.model = rtl or lockstep needs RTL counters, and this pes-vp was "
                        "built without Verilator; expected tlm");
    }
    const auto found = std::ranges::find_if(models, [&config](const BuiltModel& model) {
        return model.programmable == config.programmable && model.width == config.width &&
               model.write_freezes == config.write_freezes;
    });
    if (found == models.end()) {
        std::string built;
        for (const BuiltModel& model : models) {
            built += (built.empty() ? "" : ", ") +
                     describe(model.programmable, model.width, model.write_freezes);
        }
        throw UserError("this pes-vp has no RTL counters of shape " +
                        describe(config.programmable, config.width, config.write_freezes) +
                        " (counters:width:write_freezes), expected one of " + built +
                        "; the CMake variable PES_RTL_SHAPES adds others");
    }
    return found->make;
}

} // namespace

std::unique_ptr<HpmBank> make_counter_bank(const CounterConfig& config,
                                           LockstepBank::Hooks lockstep) {
    switch (config.kind) {
    case CounterKind::Rtl:
        return std::make_unique<RtlCounterBank>(config, find_model(config)());
    case CounterKind::Lockstep:
        return std::make_unique<LockstepBank>(config, find_model(config), std::move(lockstep));
    case CounterKind::Tlm:
        break;
    }
    return std::make_unique<TlmCounterBank>(config);
}

} // namespace pes
