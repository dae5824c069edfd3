// SPDX-License-Identifier: Apache-2.0
// The generated device tree, read back with libfdt; expected values from the bindings that Linux
// and OpenSBI document.
#include "hw/interface/pmu/profiles.h"
#include "hw/irq/plic_device.h"
#include "hw/uart/uart_device.h"
#include "platform/boot/device_tree.h"
#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <array>
#include <gmock/gmock.h>
#include <libfdt.h>

namespace pes {
namespace {

using namespace test;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::uint32_t> cells(const DeviceTree& tree, const char* path, const char* name) {
    int length = 0;
    const int node = fdt_path_offset(tree.data(), path);
    const auto* value = static_cast<const fdt32_t*>(fdt_getprop(tree.data(), node, name, &length));
    std::vector<std::uint32_t> result;
    for (int i = 0; value != nullptr && i < length / 4; ++i) {
        result.push_back(fdt32_to_cpu(value[i]));
    }
    return result;
}

std::string text(const DeviceTree& tree, const char* path, const char* name) {
    int length = 0;
    const int node = fdt_path_offset(tree.data(), path);
    const auto* value = static_cast<const char*>(fdt_getprop(tree.data(), node, name, &length));
    return value == nullptr ? std::string() : std::string(value, static_cast<std::size_t>(length));
}

using std::string_literals::operator""s;

TEST(DeviceTree, DescribesMemoryAndHartsOfTheConfiguration) {
    PlatformConfig config;
    config.hart.memory = {0x8000'0000, 0x2000'0000};
    const DeviceTree tree = make_device_tree(config);
    ASSERT_EQ(fdt_check_full(tree.data(), tree.size()), 0);
    EXPECT_THAT(cells(tree, "/memory@80000000", "reg"),
                ElementsAre(0, 0x8000'0000, 0, 0x2000'0000));
    EXPECT_EQ(text(tree, "/memory@80000000", "device_type"), "memory\0"s);
    EXPECT_THAT(cells(tree, "/cpus", "timebase-frequency"), ElementsAre(12'500'000));
    EXPECT_EQ(text(tree, "/cpus/cpu@0", "mmu-type"), "riscv,sv39\0"s);
    EXPECT_EQ(text(tree, "/cpus/cpu@0", "riscv,isa").substr(0, 10), "rv64imafdc");
}

TEST(DeviceTree, AHartWithoutTheTimeCsrHasNoZicntr) {
    PlatformConfig config;
    EXPECT_THAT(isa_string(config), HasSubstr("_zicntr"));
    config.hart.time_csr = false;
    EXPECT_THAT(isa_string(config), ::testing::Not(HasSubstr("zicntr")));
}

/// riscv,isa is deprecated: kernels may be built without it (bindings/riscv/extensions.yaml).
TEST(DeviceTree, TheIsaIsAlsoInItsOwnProperties) {
    PlatformConfig config;
    const DeviceTree full = make_device_tree(config);
    EXPECT_EQ(text(full, "/cpus/cpu@0", "riscv,isa-base"), "rv64i\0"s);
    EXPECT_EQ(text(full, "/cpus/cpu@0", "riscv,isa-extensions"),
              "i\0m\0a\0f\0d\0c\0zicntr\0zicond\0zicsr\0zifencei\0zihpm\0zcb\0zba\0zbb\0zbc\0zbkb\0"
              "zbs\0smcntrpmf\0sscofpmf\0"s);
    config.hart.time_csr = false;
    config.counters.sscofpmf = false;
    config.counters.smcntrpmf = false;
    const DeviceTree plain = make_device_tree(config);
    EXPECT_EQ(text(plain, "/cpus/cpu@0", "riscv,isa-extensions"),
              "i\0m\0a\0f\0d\0c\0zicond\0zicsr\0zifencei\0zihpm\0zcb\0zba\0zbb\0zbc\0zbkb\0zbs\0"s);
    config.hart.extensions.isa.extensions = IsaSet{IsaExtension::M, IsaExtension::C};
    const DeviceTree small = make_device_tree(config);
    EXPECT_EQ(text(small, "/cpus/cpu@0", "riscv,isa-extensions"),
              "i\0m\0c\0zicsr\0zifencei\0zihpm\0"s);
}

/// Linux uses stimecmp if it finds the name here.
TEST(DeviceTree, OptionalExtensionsAreInTheIsaWhenTheyArePresent) {
    PlatformConfig config;
    config.hart.extensions.sstc = true;
    EXPECT_THAT(isa_string(config), testing::EndsWith("_smcntrpmf_sscofpmf_sstc"));
    const std::string names = text(make_device_tree(config), "/cpus/cpu@0", "riscv,isa-extensions");
    EXPECT_THAT(names, testing::EndsWith("\0sscofpmf\0sstc\0"s));
    config.hart.extensions.smcsrind = true;
    config.hart.extensions.smcdeleg = true;
    config.hart.extensions.smstateen = true;
    EXPECT_THAT(isa_string(config),
                testing::EndsWith("_zbs_smcdeleg_smcntrpmf_smcsrind_smstateen_ssccfg_sscofpmf_"
                                  "sscsrind_ssstateen_sstc"));
    config.hart.extensions.sspesa = true;
    config.hart.extensions.ssplcofi = true;
    EXPECT_THAT(isa_string(config), testing::EndsWith("_sscsrind_sspesa_ssplcofi_ssstateen_sstc"));
    config.hart.extensions.smctr = true;
    EXPECT_THAT(isa_string(config), testing::EndsWith("_smcsrind_smctr_smstateen_ssccfg_sscofpmf_"
                                                      "sscsrind_ssctr_sspesa_ssplcofi_ssstateen_"
                                                      "sstc"));
    config.hart.extensions.smpdis = true;
    config.hart.extensions.ssamb = true;
    EXPECT_THAT(isa_string(config),
                testing::EndsWith("_smcsrind_smctr_smpdis_smstateen_ssamb_ssccfg_sscofpmf_"
                                  "sscsrind_ssctr_sspdis_sspesa_ssplcofi_ssstateen_sstc"));
    config.hart.extensions.svadu = true;
    EXPECT_THAT(isa_string(config), testing::EndsWith("_ssstateen_sstc_svadu"));
}

TEST(DeviceTree, TheRngSeedFollowsFromItsSetting) {
    const auto seed = [](std::uint64_t number) {
        PlatformConfig config;
        config.boot.rng_seed = number;
        return text(make_device_tree(config), "/chosen", "rng-seed");
    };
    EXPECT_EQ(seed(1).size(), 64U);
    EXPECT_EQ(text(make_device_tree({}), "/chosen", "rng-seed"), seed(1));
    EXPECT_NE(seed(2), seed(1));
    EXPECT_EQ(seed(0), "");
}

TEST(DeviceTree, TheFirmwaresSwitchIsThereWhenItIsOn) {
    PlatformConfig config;
    const DeviceTree plain = make_device_tree(config);
    EXPECT_LT(fdt_path_offset(plain.data(), "/chosen/firmware"), 0);
    config.boot.pmu_snapshot = true;
    const DeviceTree tree = make_device_tree(config);
    EXPECT_EQ(text(tree, "/chosen/firmware", "compatible"), "pes-vp,firmware\0"s);
    const int node = fdt_path_offset(tree.data(), "/chosen/firmware");
    EXPECT_NE(fdt_getprop(tree.data(), node, "pmu-snapshot", nullptr), nullptr);
    EXPECT_EQ(fdt_getprop(tree.data(), node, "pmu-delegated", nullptr), nullptr);
    config.boot = {.pmu_delegated = true};
    const DeviceTree delegated = make_device_tree(config);
    const int other = fdt_path_offset(delegated.data(), "/chosen/firmware");
    EXPECT_NE(fdt_getprop(delegated.data(), other, "pmu-delegated", nullptr), nullptr);
    EXPECT_EQ(fdt_getprop(delegated.data(), other, "pmu-snapshot", nullptr), nullptr);
}

TEST(DeviceTree, DevicesAreWhereTheMapHasThem) {
    PlatformConfig config;
    config.devices.get<UartDescription>().range.base = 0x1001'0000;
    const DeviceTree tree = make_device_tree(config);
    EXPECT_THAT(cells(tree, "/soc/clint@2000000", "reg"), ElementsAre(0, 0x200'0000, 0, 0xC'0000));
    EXPECT_THAT(cells(tree, "/soc/interrupt-controller@c000000", "riscv,ndev"),
                ElementsAre(config.devices.get<PlicDescription>().config.sources));
    EXPECT_EQ(text(tree, "/soc/serial@10010000", "compatible"), "ns16550a\0"s);
    EXPECT_EQ(text(tree, "/chosen", "stdout-path"), "/soc/serial@10010000\0"s);
    // Interrupts of the hart's own controller: MSI 3 and MTI 7, MEI 11 and SEI 9.
    const std::uint32_t hart = cells(tree, "/cpus/cpu@0/interrupt-controller", "phandle").at(0);
    EXPECT_THAT(cells(tree, "/soc/clint@2000000", "interrupts-extended"),
                ElementsAre(hart, 3, hart, 7));
    EXPECT_THAT(cells(tree, "/soc/interrupt-controller@c000000", "interrupts-extended"),
                ElementsAre(hart, 11, hart, 9));
}

/// OpenSBI rejects bits 0..2, and a mapped event without a range (docs/pmu_support.md).
TEST(DeviceTree, EachMappedEventHasARangeOfProgrammableCounters) {
    PlatformConfig config;
    config.counters.programmable = 4;
    const DeviceTree tree = make_device_tree(config);
    const auto selectors = cells(tree, "/pmu", "riscv,event-to-mhpmevent");
    const auto ranges = cells(tree, "/pmu", "riscv,event-to-mhpmcounters");
    ASSERT_EQ(selectors.size(), 3 * kCva6Profile.sbi_event_count);
    ASSERT_EQ(ranges.size(), selectors.size());
    for (std::size_t i = 0; i < selectors.size(); i += 3) {
        EXPECT_EQ(ranges[i], selectors[i]);
        EXPECT_EQ(ranges[i + 1], selectors[i]);
        EXPECT_EQ(ranges[i + 2], 0x78U); // counters 3..6
    }
    const auto raw = cells(tree, "/pmu", "riscv,raw-event-to-mhpmcounters");
    ASSERT_EQ(raw.size(), 5 * (kCva6Profile.event_count - 1)); // all but "no event"
    EXPECT_THAT(std::vector(raw.begin(), raw.begin() + 5),
                ElementsAre(0, 1, 0xFFFF'FFFF, 0xFFFF'FFFF, 0x78));
}

TEST(DeviceTree, ExtensionsOfTheCountersAreInTheIsaStringAndTheMap) {
    constexpr std::uint32_t kCycles = 1, kInstructions = 2;
    PlatformConfig config;
    EXPECT_THAT(isa_string(config), testing::EndsWith("_zbs_smcntrpmf_sscofpmf"));
    const DeviceTree full = make_device_tree(config);
    const auto mapped = cells(full, "/pmu", "riscv,event-to-mhpmevent");
    EXPECT_THAT(std::vector(mapped.begin(), mapped.begin() + 6),
                ElementsAre(kCycles, 0, 23, kInstructions, 0, 24));

    config.counters.sscofpmf = false;
    config.counters.smcntrpmf = false;
    EXPECT_THAT(isa_string(config), testing::EndsWith("_zifencei_zihpm_zcb_zba_zbb_zbc_zbkb_zbs"));
    const DeviceTree plain = make_device_tree(config);
    const auto selectors = cells(plain, "/pmu", "riscv,event-to-mhpmevent");
    for (std::size_t i = 0; i < selectors.size(); i += 3) {
        EXPECT_NE(selectors[i], kCycles);
        EXPECT_NE(selectors[i], kInstructions);
    }
}

/// OpenSBI's own example for this core (docs/pmu_support.md): rows, counters 3 and 4, raw classes.
TEST(DeviceTree, TheU74HasTheRowsOfOpenSbisExample) {
    PlatformConfig config;
    choose_profile(config, kU74Profile);
    const DeviceTree tree = make_device_tree(config);
    EXPECT_EQ(text(tree, "/cpus/cpu@0", "compatible"), "sifive,u74-mc\0riscv\0"s);
    EXPECT_THAT(cells(tree, "/pmu", "riscv,event-to-mhpmevent"),
                ElementsAre(0x00003, 0, 0x1801, 0x00004, 0, 0x0302, 0x00005, 0, 0x4000, 0x00006, 0,
                            0x6001, 0x10001, 0, 0x0202, 0x10002, 0, 0x0402, 0x10009, 0, 0x0102,
                            0x10011, 0, 0x2002, 0x10019, 0, 0x1002, 0x10021, 0, 0x0802));
    const auto ranges = cells(tree, "/pmu", "riscv,event-to-mhpmcounters");
    ASSERT_EQ(ranges.size(), 30U);
    for (std::size_t i = 2; i < ranges.size(); i += 3) {
        EXPECT_EQ(ranges[i], 0x18U);
    }
    EXPECT_THAT(cells(tree, "/pmu", "riscv,raw-event-to-mhpmcounters"),
                ElementsAre(0, 0, 0xFFFF'FFFF, 0xFC00'00FF, 0x18, //
                            0, 1, 0xFFFF'FFFF, 0xFFF8'00FF, 0x18, //
                            0, 2, 0xFFFF'FFFF, 0xFFFF'E0FF, 0x18));
}

TEST(DeviceTree, ACoreWithoutMhpmeventHasNoPmuNodeAndNoZihpm) {
    PlatformConfig config;
    choose_profile(config, kCv32e40pProfile);
    const DeviceTree tree = make_device_tree(config);
    EXPECT_LT(fdt_path_offset(tree.data(), "/pmu"), 0);
    EXPECT_EQ(isa_string(config), "rv64imafdc_zicond_zicsr_zifencei_zcb_zba_zbb_zbc_zbkb_zbs");
}

TEST(DeviceTree, WithoutProgrammableCountersThereIsNoPmuNode) {
    PlatformConfig config;
    config.counters.programmable = 0;
    const DeviceTree tree = make_device_tree(config);
    EXPECT_LT(fdt_path_offset(tree.data(), "/pmu"), 0);
}

TEST(DeviceTree, BootArgumentsAreInChosen) {
    DeviceTree tree = make_device_tree({});
    set_boot_arguments(tree, {.command_line = "console=ttyS0", .initrd = {{0x8400'0000, 0x1234}}},
                       "the tree");
    ASSERT_EQ(fdt_check_full(tree.data(), tree.size()), 0);
    EXPECT_EQ(text(tree, "/chosen", "bootargs"), "console=ttyS0\0"s);
    EXPECT_THAT(cells(tree, "/chosen", "linux,initrd-start"), ElementsAre(0, 0x8400'0000));
    EXPECT_THAT(cells(tree, "/chosen", "linux,initrd-end"), ElementsAre(0, 0x8400'1234));
}

TEST(DeviceTree, AFileThatIsNoTreeIsRefused) {
    TemporaryDirectory directory;
    DeviceTree tree = make_device_tree({});
    const auto refused = [&](const std::string& bytes) {
        directory.write("tree.dtb", bytes);
        EXPECT_THROW(read_device_tree(directory / "tree.dtb"), UserError) << bytes.size();
    };
    const std::string sound(reinterpret_cast<const char*>(tree.data()), tree.size());
    refused("");
    refused("not a tree");
    refused(sound.substr(0, 30));
    refused(sound.substr(0, sound.size() - 8));
    directory.write("tree.dtb", sound);
    EXPECT_EQ(read_device_tree(directory / "tree.dtb"), tree);
}

// --- Trace components: Linux, Documentation/devicetree/bindings/riscv/riscv,trace-component.yaml
// ---

std::string remote_of(const DeviceTree& tree, const std::string& endpoint) {
    const std::vector<std::uint32_t> phandle = cells(tree, endpoint.c_str(), "remote-endpoint");
    std::array<char, 128> path{};
    const int node = phandle.size() == 1 ? fdt_node_offset_by_phandle(tree.data(), phandle[0]) : -1;
    fdt_get_path(tree.data(), node, path.data(), path.size());
    return path.data();
}

PlatformConfig standard_trace(unsigned harts, unsigned funnels = 0) {
    PlatformConfig config;
    config.trace.registers = trace::RegisterSet::Standard;
    config.trace.funnels = funnels;
    config.harts = harts;
    return config;
}

TEST(DeviceTree, SiFivesEncoderHasItsSinkItself) {
    const DeviceTree tree = make_device_tree(PlatformConfig());
    ASSERT_EQ(fdt_check_full(tree.data(), tree.size()), 0);
    EXPECT_EQ(text(tree, "/soc/trace@11000000", "compatible"), "pes-vp,trace-encoder\0"s);
    EXPECT_EQ(cells(tree, "/soc/trace@11000000", "cpus"), cells(tree, "/cpus/cpu@0", "phandle"));
    EXPECT_LT(fdt_path_offset(tree.data(), "/soc/trace@11000000/out-ports"), 0);
}

TEST(DeviceTree, SiFivesEncodersSendToTheFunnelThatHasTheSink) {
    PlatformConfig config;
    config.harts = 2;
    const DeviceTree tree = make_device_tree(config);
    EXPECT_EQ(text(tree, "/soc/trace@11018000", "compatible"), "pes-vp,trace-funnel\0"s);
    EXPECT_EQ(remote_of(tree, "/soc/trace@11001000/out-ports/port/endpoint"),
              "/soc/trace@11018000/in-ports/port@1/endpoint");
    EXPECT_LT(fdt_path_offset(tree.data(), "/soc/trace@11018000/out-ports"), 0);
}

TEST(DeviceTree, EachEncoderHasAPageOfStimuli) {
    PlatformConfig config = standard_trace(2);
    config.clock_hz = 1'000'000'000;
    const DeviceTree tree = make_device_tree(config);
    EXPECT_THAT(cells(tree, "/soc/stimuli@11029000", "reg"),
                ElementsAre(0, 0x1102'9000, 0, 0x1000));
    EXPECT_EQ(cells(tree, "/soc/stimuli@11029000", "cpus"), cells(tree, "/cpus/cpu@1", "phandle"));
    EXPECT_THAT(cells(tree, "/soc/stimuli@11029000", "clock-frequency"),
                ElementsAre(1'000'000'000));
}

TEST(DeviceTree, WithoutTraceThereAreNoNodes) {
    PlatformConfig config;
    config.trace.enabled = false;
    const DeviceTree tree = make_device_tree(config);
    EXPECT_LT(fdt_path_offset(tree.data(), "/soc/trace@11000000"), 0);
    EXPECT_THAT(cells(tree, "/cpus/cpu@0", "phandle"), testing::IsEmpty());
}

TEST(DeviceTree, EncoderAndRamSinkOfAHartAreConnected) {
    const DeviceTree tree = make_device_tree(standard_trace(1));
    ASSERT_EQ(fdt_check_full(tree.data(), tree.size()), 0);
    for (const char* node : {"/soc/trace@11000000", "/soc/trace@11030000"}) {
        EXPECT_EQ(text(tree, node, "compatible"),
                  "pes-vp,trace-component\0riscv,trace-component\0"s);
        EXPECT_EQ(cells(tree, node, "cpus"), cells(tree, "/cpus/cpu@0", "phandle"));
    }
    EXPECT_THAT(cells(tree, "/soc/trace@11030000", "reg"), ElementsAre(0, 0x1103'0000, 0, 0x1000));
    const std::string output = "/soc/trace@11000000/out-ports/port/endpoint";
    const std::string input = "/soc/trace@11030000/in-ports/port/endpoint";
    EXPECT_EQ(remote_of(tree, output), input);
    EXPECT_EQ(remote_of(tree, input), output);
}

TEST(DeviceTree, FunnelTakesTheEncodersOfItsHartsAndSendsToTheRamSink) {
    const DeviceTree tree = make_device_tree(standard_trace(2));
    EXPECT_EQ(remote_of(tree, "/soc/trace@11000000/out-ports/port/endpoint"),
              "/soc/trace@11018000/in-ports/port@0/endpoint");
    EXPECT_EQ(remote_of(tree, "/soc/trace@11001000/out-ports/port/endpoint"),
              "/soc/trace@11018000/in-ports/port@1/endpoint");
    EXPECT_EQ(remote_of(tree, "/soc/trace@11018000/out-ports/port/endpoint"),
              "/soc/trace@11030000/in-ports/port/endpoint");
    EXPECT_THAT(cells(tree, "/soc/trace@11030000", "cpus"), testing::IsEmpty());
    EXPECT_EQ(cells(tree, "/soc/trace@11001000", "cpus"), cells(tree, "/cpus/cpu@1", "phandle"));
}

TEST(DeviceTree, OtherFunnelsSendToTheFirst) {
    const DeviceTree tree = make_device_tree(standard_trace(4, 2));
    EXPECT_EQ(remote_of(tree, "/soc/trace@11019000/out-ports/port/endpoint"),
              "/soc/trace@11018000/in-ports/port@0/endpoint");
    EXPECT_EQ(remote_of(tree, "/soc/trace@11000000/out-ports/port/endpoint"),
              "/soc/trace@11018000/in-ports/port@1/endpoint");
    EXPECT_EQ(remote_of(tree, "/soc/trace@11003000/out-ports/port/endpoint"),
              "/soc/trace@11019000/in-ports/port@1/endpoint");
}

} // namespace
} // namespace pes
