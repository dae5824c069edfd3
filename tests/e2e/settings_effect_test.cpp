// SPDX-License-Identifier: Apache-2.0
// Each setting of the core's timing and of the devices' latencies changes what a program costs: a
// setting that nothing reads fails here.
#include "platform/config/config.h"
#include "platform/config/settings.h"
#include "tests/unit/common/run_command.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pes {
namespace {

/// Statistics of a run without what the host adds to them.
nlohmann::json statistics(const std::string& program, const std::string& options) {
    const test::TemporaryDirectory directory;
    const std::string file = (directory / "stats.json").string();
    const test::CommandResult result =
        test::run_command("'" PES_VP "' run '" + program + "' --max-cycles 3000000 --stats '" +
                          file + "' " + options);
    nlohmann::json stats =
        nlohmann::json::parse(test::read_file(file), nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(stats.is_object()) << options << ": " << result.err;
    if (stats.is_object()) {
        stats.erase("host_seconds");
        stats.erase("mips");
    }
    return stats;
}

/// sbi_test boots the firmware, maps pages, takes traps, and reads and writes every device. What it
/// does not execute, kernels of one instruction do.
std::string program_of(std::string_view key) {
    constexpr std::pair<std::string_view, const char*> kKernels[] = {
        {"timing.load_reserved_cycles", "lr_sc"},
        {"timing.store_conditional_cycles", "lr_sc"},
        {"timing.latency.fp_single", "fadds_dep"},
        {"timing.latency.fp_double", "faddd_dep"},
        {"timing.latency.fp_convert", "fcvt_roundtrip"},
        {"timing.latency.fp_divide_single", "fdivs"},
        {"timing.latency.fp_divide_double", "fdivd"},
        {"timing.latency.fp_sqrt_double", "fsqrtd"},
        {"timing.fp_interval.single", "fdivs"},
        {"timing.fp_interval.wide", "fdivd"},
    };
    constexpr std::pair<std::string_view, const char*> kPrograms[] = {
        {"timing.device_request_cycles", "p_wfi"},
        {"timing.latency.fp_sqrt_single", "fpprobe"},
    };
    for (const auto& [name, program] : kKernels) {
        if (key == name) {
            return std::string(PES_KERNELS) + "/" + program + ".elf";
        }
    }
    for (const auto& [name, program] : kPrograms) {
        if (key == name) {
            return std::string(PES_RTL_PROGRAMS) + "/" + program + ".elf";
        }
    }
    return PES_FIRMWARE_DIR "/sbi_test.elf";
}

bool is_concerned(const Setting& setting) {
    return (setting.key.starts_with("timing.") && setting.format != Format::Choice) ||
           setting.key == "clint.latency" || setting.key == "plic.latency" ||
           setting.key == "uart.latency";
}

/// Another value that the setting accepts: twice or half the default.
std::string other_value(const Setting& setting) {
    const PlatformConfig defaults = make_config({}, {});
    const std::uint64_t value = std::stoull(print_value(setting, defaults), nullptr, 0);
    const std::uint64_t other = value == 0 ? 1 : 2 * value;
    const bool fewer = setting.key == "timing.writes_in_flight"; // no program has more
    return std::to_string(!fewer && other <= setting.maximum ? other : value / 2);
}

class SettingEffect : public testing::TestWithParam<const Setting*> {};

TEST_P(SettingEffect, ChangesWhatAProgramCosts) {
    const Setting& setting = *GetParam();
    const std::string program = program_of(setting.key);
    const std::string option = "--set " + std::string(setting.key) + "=" + other_value(setting);
    EXPECT_NE(statistics(program, option), statistics(program, "")) << option << ' ' << program;
}

std::vector<const Setting*> concerned() {
    std::vector<const Setting*> found;
    for (const Setting& setting : settings()) {
        if (is_concerned(setting)) {
            found.push_back(&setting);
        }
    }
    return found;
}

std::string name_of(const testing::TestParamInfo<const Setting*>& info) {
    std::string name(info.param->key);
    std::ranges::replace(name, '.', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, SettingEffect, testing::ValuesIn(concerned()), name_of);

} // namespace
} // namespace pes
