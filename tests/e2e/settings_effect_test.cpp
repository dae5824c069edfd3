// SPDX-License-Identifier: Apache-2.0
// Each setting of the core's timing and each latency of a device changes what a program costs; base
// and size of a device change the device tree. A setting that nothing reads fails here.
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
        stats.erase("host_path");
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
    if (key == "finisher.latency") {
        return PES_FIRMWARE_DIR "/exit_finisher_0.elf";
    }
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

bool is_of_a_device(const Setting& setting, std::string_view what) {
    const PlatformConfig config = make_config({}, {});
    return std::ranges::any_of(config.devices, [&](const auto& device) {
        return device->present() &&
               setting.key == std::string(device->traits().name) + std::string(what);
    });
}

bool has_cost(const Setting& setting) {
    return (setting.key.starts_with("timing.") && setting.format != Format::Choice) ||
           is_of_a_device(setting, ".latency");
}

bool has_place(const Setting& setting) {
    return is_of_a_device(setting, ".base") || is_of_a_device(setting, ".size");
}

/// Another value that the setting accepts: twice or half the default.
std::string other_value(const Setting& setting) {
    const PlatformConfig defaults = make_config({}, {});
    const std::uint64_t value = std::stoull(print_value(setting, defaults), nullptr, 0);
    const std::uint64_t other = value == 0 ? 1 : 2 * value;
    const bool fewer = setting.key == "timing.writes_in_flight" || // no program has more
                       setting.key == "plic.size";                 // the UART comes behind it
    return std::to_string(!fewer && other <= setting.maximum ? other : value / 2);
}

std::string device_tree(const std::string& options) {
    const test::TemporaryDirectory directory;
    const std::string file = (directory / "tree.dtb").string();
    const test::CommandResult result =
        test::run_command("'" PES_VP "' run --dump-dtb '" + file + "' " + options);
    EXPECT_EQ(result.exit_code, 0) << options << ": " << result.err;
    return test::read_file(file);
}

class SettingEffect : public testing::TestWithParam<const Setting*> {};

TEST_P(SettingEffect, ChangesWhatAProgramCosts) {
    const Setting& setting = *GetParam();
    const std::string program = program_of(setting.key);
    const std::string option = "--set " + std::string(setting.key) + "=" + other_value(setting);
    EXPECT_NE(statistics(program, option), statistics(program, "")) << option << ' ' << program;
}

class PlaceSetting : public testing::TestWithParam<const Setting*> {};

TEST_P(PlaceSetting, ChangesTheDeviceTree) {
    const std::string option =
        "--set " + std::string(GetParam()->key) + "=" + other_value(*GetParam());
    EXPECT_NE(device_tree(option), device_tree("")) << option;
}

/// The program knows the default numbers: a CSR that is elsewhere traps.
TEST(SamplingSettings, MoveTheRegisters) {
    const std::string run = "'" PES_VP "' run '" PES_DIRECTED "/decoded_sampling.elf' "
                            "--max-cycles 300000 --set extensions.smcsrind=true "
                            "--set extensions.smpdis=true";
    EXPECT_EQ(test::run_command(run).exit_code, 0);
    EXPECT_NE(test::run_command(run + " --set pdis.mpdisctl=0x7E0").exit_code, 0);
    EXPECT_NE(test::run_command(run + " --set pdis.spdisctl=0x5C0").exit_code, 0);
}

std::vector<const Setting*> settings_that(bool (*concern)(const Setting&)) {
    std::vector<const Setting*> found;
    for (const Setting& setting : settings()) {
        if (concern(setting)) {
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

INSTANTIATE_TEST_SUITE_P(All, SettingEffect, testing::ValuesIn(settings_that(has_cost)), name_of);
INSTANTIATE_TEST_SUITE_P(All, PlaceSetting, testing::ValuesIn(settings_that(has_place)), name_of);

} // namespace
} // namespace pes
