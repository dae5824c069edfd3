// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/bank_factory.h"

#include "hw/hpm/model_bank.h"
#include "hw/hpm/rtl/built_models.h"
#include "hw/hpm/rtl_bank.h"
#include "platform/host/user_error.h"

#include <string>
#include <utility>

namespace pes {
namespace {

/// Of a model or a configuration, as PES_RTL_SHAPES has it: CVA6 and both extensions are what goes
/// without saying.
std::string describe(const auto& shape) {
    const auto digit = [](bool value) { return value ? ":1" : ":0"; };
    std::string text = shape.profile == &kCva6Profile ? "" : std::string(shape.profile->name) + ":";
    text += std::to_string(shape.programmable) + ":" + std::to_string(shape.width) +
            digit(shape.write_freezes);
    if (!shape.sscofpmf || !shape.smcntrpmf) {
        text += std::string(digit(shape.sscofpmf)) + digit(shape.smcntrpmf);
    }
    return text;
}

/// What the user may ask for instead, and how to have more.
std::string expectation(std::span<const BuiltModel> models) {
    std::string shapes;
    for (const BuiltModel& model : models) {
        if (model.profile->registers != RegisterSet::Hpm) {
            continue;
        }
        shapes += (shapes.empty() ? "" : ", ") + describe(model);
    }
    if (models.front().origin == RtlOrigin::Foreign) {
        const BuiltModel& model = models.front();
        return "expected " + shapes +
               ", that of the foreign RTL in this build (CMake variable PES_FOREIGN_RTL): "
               "counters.programmable=" +
               std::to_string(model.programmable) +
               ", counters.width=" + std::to_string(model.width) +
               ", counters.write_freezes=" + (model.write_freezes ? "true" : "false") +
               ", counters.sscofpmf=false";
    }
    return "expected one of " + shapes + "; the CMake variable PES_RTL_SHAPES adds others";
}

RtlFactory find_model(const CounterConfig& config) {
    const auto models = built_models();
    if (models.empty()) {
        throw UserError("counters.model = rtl or lockstep needs RTL counters, and this pes-vp was "
                        "built without Verilator; expected tlm");
    }
    if (const BuiltModel* model = find_shape(models, config)) {
        return model->make;
    }
    if (config.profile->registers != RegisterSet::Hpm) {
        throw UserError("this pes-vp has no RTL counters with the registers and the events of "
                        "profile '" +
                        std::string(config.profile->name) + "', expected counters.model = tlm");
    }
    throw UserError("this pes-vp has no RTL counters of shape " + describe(config) +
                    " ([profile:]counters:width:write_freezes[:sscofpmf:smcntrpmf]), " +
                    expectation(models));
}

std::unique_ptr<HpmBank> make_bank(const CounterConfig& config, LockstepBank::Hooks lockstep) {
    switch (config.kind) {
    case CounterModel::Rtl:
        return std::make_unique<RtlCounterBank>(config, find_model(config)());
    case CounterModel::Lockstep:
        return std::make_unique<LockstepBank>(config, find_model(config), std::move(lockstep));
    case CounterModel::Tlm:
        break;
    }
    return make_model_bank(config);
}

} // namespace

std::unique_ptr<HpmBank> make_counter_bank(const CounterConfig& config,
                                           LockstepBank::Hooks lockstep,
                                           StimulusWriter::Sink stimulus) {
    std::unique_ptr<HpmBank> bank = make_bank(config, std::move(lockstep));
    if (!stimulus) {
        return bank;
    }
    return std::make_unique<StimulusBank>(config, std::move(bank), std::move(stimulus));
}

} // namespace pes
