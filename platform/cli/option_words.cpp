// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/option_words.h"

#include "hw/hpm/bank_wave.h"
#include "hw/hpm/rtl_wave.h"
#include "hw/hpm/sample_wave.h"
#include "hw/irq/plic_device.h"
#include "hw/trace/sinks/trace_sink.h"
#include "platform/config/settings.h"
#include "platform/profile/event_names.h"
#include "platform/sampling/method.h"
#include "platform/soc/waves/commit_wave.h"

namespace pes {
namespace {

std::vector<std::string> method_words() {
    std::vector<std::string> words;
    for (const SamplingMethod& method : sampling_methods()) {
        words.emplace_back(method.name);
    }
    return words;
}

std::vector<std::string> value_words(const Setting& setting) {
    switch (setting.format) {
    case Format::Switch:
        return {"true", "false"};
    case Format::Profile:
        return built_in_profile_names();
    default:
        return {setting.choices.begin(), setting.choices.end()};
    }
}

std::vector<std::string> value_words(std::string_view key) {
    return value_words(*find_setting(key));
}

OptionWords setting_words() {
    OptionWords option{.option = "--set", .value = "KEY=VALUE", .words = {}};
    for (const Setting& setting : settings()) {
        option.words.emplace_back(setting.key);
        std::vector<std::string> words = value_words(setting);
        if (!words.empty()) {
            option.key_words.emplace(setting.key, std::move(words));
        }
    }
    return option;
}

/// Of all blocks that have signals.
std::vector<std::string> wave_group_words() {
    return {BankWave::kGroup,
            SampleWave::kGroup,
            RtlWave::kGroup,
            CommitWave::kGroup,
            trace::TraceSink::kWaveGroup,
            std::string(PlicDescription().traits().name)};
}

} // namespace

std::vector<OptionWords> option_words() {
    return {
        {.option = "--method", .value = "METHOD", .words = method_words()},
        {.option = "--event", .value = "NAME", .words = built_in_event_names()},
        {.option = "--events", .value = "NAME,...", .words = built_in_event_names()},
        {.option = "--counters", .value = "KIND", .words = value_words("counters.model")},
        {.option = "--path", .value = "PATH", .words = value_words("hart.path")},
        {.option = "--profile",
         .value = "PROFILE",
         .words = built_in_profile_names(),
         .or_file = true},
        {.option = "--vcd-groups", .value = "NAME,...", .words = wave_group_words()},
        setting_words(),
    };
}

} // namespace pes
