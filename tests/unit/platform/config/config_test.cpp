// SPDX-License-Identifier: Apache-2.0
#include "platform/config/config.h"

#include "hw/finisher/finisher_device.h"
#include "hw/interface/pmu/profile_u74.h"
#include "hw/irq/clint_device.h"
#include "hw/irq/plic_device.h"
#include "hw/uart/uart_device.h"
#include "platform/config/settings.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <set>

namespace pes {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

PlatformConfig set(std::vector<std::string> assignments) {
    return make_config({}, assignments);
}

TEST(Config, DefaultsAreTheDocumentedMap) {
    const PlatformConfig config = set({});
    EXPECT_EQ(config.clock_hz, 50'000'000U);
    EXPECT_EQ(config.quantum, 100'000U);
    EXPECT_EQ(config.devices.get<ClintDescription>().range.base, 0x0200'0000U);
    EXPECT_EQ(config.devices.get<PlicDescription>().range.base, 0x0C00'0000U);
    EXPECT_EQ(config.devices.get<UartDescription>().range.base, 0x1000'0000U);
    EXPECT_EQ(config.devices.get<FinisherDescription>().range.base, 0x0010'0000U);
    EXPECT_EQ(config.hart.memory.base, 0x8000'0000U);
    EXPECT_EQ(config.hart.memory.size, 256U << 20);
}

TEST(Config, SetChangesOneMember) {
    const PlatformConfig config = set({"hart.pmp_entries=16", "hart.time_csr=false"});
    EXPECT_EQ(config.hart.pmp_entries, 16U);
    EXPECT_FALSE(config.hart.time_csr);
    EXPECT_EQ(config.hart.itlb_entries, HartConfig{}.itlb_entries);
}

TEST(Config, NumbersMayBeHexadecimalGroupedOrSizes) {
    EXPECT_EQ(set({"dram.size=0x800_0000"}).hart.memory.size, 128U << 20);
    EXPECT_EQ(set({"dram.size=1 GiB"}).hart.memory.size, 1U << 30);
    EXPECT_EQ(set({"dram.size=64KiB"}).hart.memory.size, 64U << 10);
    EXPECT_EQ(set({"clock_hz=25_000_000"}).clock_hz, 25'000'000U);
}

TEST(Config, LaterAssignmentsWinOverEarlierOnesAndTheFile) {
    const TemporaryDirectory directory;
    const auto file = directory.write("soc.toml", "quantum = 5\n[hart]\npmp_entries = 4\n");
    const std::vector<std::string> assignments{"quantum=6", "quantum=7"};
    const PlatformConfig config = make_config(file, assignments);
    EXPECT_EQ(config.quantum, 7U);
    EXPECT_EQ(config.hart.pmp_entries, 4U);
}

TEST(Config, ThePathIsOneOfThreeNames) {
    EXPECT_EQ(set({}).hart.path, ExecutionPath::Auto);
    EXPECT_EQ(set({"hart.path=step"}).hart.path, ExecutionPath::Step);
    EXPECT_EQ(set({"hart.path=fast"}).hart.path, ExecutionPath::Fast);
    EXPECT_THAT(user_error([] { set({"hart.path=quick"}); }),
                AllOf(HasSubstr("hart.path = quick"), HasSubstr("one of auto, step, fast")));
}

TEST(Config, NestedTablesAreDottedKeys) {
    const TemporaryDirectory directory;
    const auto file = directory.write("soc.toml", "uart.base = 0x10010000\n[dram]\n"
                                                  "size = \"1 MiB\"\n");
    const PlatformConfig config = make_config(file, {});
    EXPECT_EQ(config.devices.get<UartDescription>().range.base, 0x1001'0000U);
    EXPECT_EQ(config.hart.memory.size, 1U << 20);
}

TEST(Config, TraceBlocksAreWhereTheDocumentationSays) {
    const PlatformConfig config = set({});
    EXPECT_EQ(encoder_range(config).base, 0x1100'0000U);
    EXPECT_EQ(encoder_range(config).size, 0x1000U);
    EXPECT_EQ(funnel_range(config).size, 0U); // one hart needs none
    EXPECT_EQ(funnel_range(set({"trace.funnel.count=2"})).base, 0x1101'8000U);
    EXPECT_EQ(funnel_range(set({"trace.funnel.count=2"})).size, 0x2000U);
}

TEST(Config, RamSinksComeWithTheStandardRegisters) {
    EXPECT_EQ(ram_sink_range(set({"trace.funnel.count=1"})).size, 0U);
    EXPECT_EQ(trace_port_range(set({})).size, 0U);
    const PlatformConfig alone = set({"trace.registers=standard"});
    EXPECT_EQ(ram_sink_range(alone).base, 0x1103'0000U);
    EXPECT_EQ(ram_sink_range(alone).size, 0x1000U);
    EXPECT_EQ(trace_port_range(alone).base, 0x1104'0000U);
    EXPECT_EQ(trace_port_range(alone).size, 0x1'0000U);
    const PlatformConfig funnels =
        set({"trace.registers=standard", "harts=4", "trace.funnel.count=2"});
    EXPECT_EQ(ram_sink_range(funnels).size, 0x1000U); // one behind both
}

TEST(Config, StandardTraceRegistersHaveMessagesOfNTrace) {
    EXPECT_EQ(dialect(set({}).trace), trace::TimestampDialect::SiFive);
    EXPECT_EQ(dialect(set({"trace.registers=standard"}).trace), trace::TimestampDialect::NTrace);
}

TEST(Config, StandardTraceRegistersHaveTheirOwnLimits) {
    EXPECT_THAT(user_error([] {
                    set({"trace.registers=standard", "trace.timestamp_bits=64"});
                }),
                HasSubstr("does not fit trTsWidth, expected at most 63"));
    EXPECT_THAT(user_error([] {
                    set({"trace.registers=standard", "trace.port.base=0x11030000"});
                }),
                HasSubstr("overlaps"));
    EXPECT_NO_THROW(set({"trace.port.base=0x11030000"})); // there is none
}

TEST(Config, SeveralHartsHaveAFunnelAndAsManySourceBitsAsTheyNeed) {
    EXPECT_EQ(funnel_count(TraceConfig{}, 1), 0U);
    EXPECT_EQ(funnel_count(TraceConfig{}, 2), 1U);
    EXPECT_EQ(source_bits(TraceConfig{}, 1), 0U);
    EXPECT_EQ(source_bits(TraceConfig{}, 2), 1U);
    EXPECT_EQ(source_bits(TraceConfig{}, 4), 2U);
    EXPECT_EQ(source_bits(TraceConfig{}, 5), 3U);
    EXPECT_EQ(source_bits(TraceConfig{.source_bits = 4}, 2), 4U);
}

TEST(Config, TraceBlocksOverlapNothingAndAreNowhereWhenSwitchedOff) {
    EXPECT_THAT(user_error([] { set({"trace.base=0x10000000"}); }), HasSubstr("overlaps"));
    EXPECT_NO_THROW(set({"trace.base=0x10000000", "trace.enabled=false"}));
    EXPECT_THAT(user_error([] {
                    set({"trace.funnel.base=0x11000000", "trace.funnel.count=1"});
                }),
                HasSubstr("overlaps"));
}

TEST(Config, SoftwareTraceModulesAreWhereTheDocumentationSays) {
    const PlatformConfig config = set({"harts=2"});
    EXPECT_EQ(software_trace_range(config).base, 0x1102'0000U);
    EXPECT_EQ(software_trace_range(config).size, 0x2000U);
    EXPECT_EQ(config.software_trace.csr, 0x8F0U);
    EXPECT_THAT(user_error([] { set({"trace.software.base=0x11000000"}); }), HasSubstr("overlaps"));
    EXPECT_NO_THROW(set({"trace.software.base=0x11000000", "trace.software.enabled=false"}));
}

TEST(Config, TheEventRegisterIsACustomUserRegister) {
    EXPECT_EQ(set({"trace.software.csr=0x800"}).software_trace.csr, 0x800U);
    EXPECT_THAT(user_error([] { set({"trace.software.csr=0x7FF"}); }),
                HasSubstr("from 0x800 to 0x8FF"));
    EXPECT_THAT(user_error([] { set({"trace.software.value_bits=48"}); }),
                HasSubstr("from 16 to 64"));
}

TEST(Config, ABurstIsWholeWordsAndFitsTwiceIntoAFifo) {
    EXPECT_THAT(user_error([] { set({"trace.burst_bytes=36"}); }), HasSubstr("multiple of"));
    EXPECT_THAT(user_error([] {
                    set({"trace.burst_bytes=256", "trace.fifo_bytes=256"});
                }),
                HasSubstr("more than half"));
    EXPECT_NO_THROW(set({"trace.burst_bytes=256", "trace.fifo_bytes=512"}));
}

TEST(Config, UnknownKeyIsAnErrorWithASuggestion) {
    EXPECT_THAT(user_error([] { set({"hart.pmp_entrys=4"}); }),
                AllOf(HasSubstr("'hart.pmp_entrys'"), HasSubstr("'hart.pmp_entries'")));
}

TEST(Config, UnknownKeyInAFileNamesFileAndLine) {
    const TemporaryDirectory directory;
    const auto file = directory.write("soc.toml", "quantum = 5\n[hart]\nspeed = 3\n");
    EXPECT_THAT(user_error([&] { make_config(file, {}); }),
                AllOf(HasSubstr("soc.toml:3"), HasSubstr("'hart.speed'")));
}

TEST(Config, NamedChoicesAreWrittenByName) {
    EXPECT_EQ(set({"timing.generation=cva6-2025-07"}).hart.timing.generation,
              CoreGeneration::Generation2025_07);
    EXPECT_THAT(user_error([] { set({"timing.generation=v4"}); }),
                HasSubstr("expected one of cva6-v5.3.0, cva6-2025-07"));
}

TEST(Config, BadValueNamesKeyValueAndExpectation) {
    EXPECT_THAT(user_error([] { set({"hart.pmp_entries=65"}); }),
                AllOf(HasSubstr("hart.pmp_entries"), HasSubstr("65"), HasSubstr("from 0 to 64")));
    EXPECT_THAT(user_error([] { set({"hart.itlb_entries=12"}); }), HasSubstr("power of two"));
    EXPECT_THAT(user_error([] { set({"hart.time_csr=1"}); }), HasSubstr("true or false"));
    EXPECT_THAT(user_error([] { set({"dram.size=100"}); }), HasSubstr("multiple of 4096"));
    EXPECT_THAT(user_error([] { set({"clock_hz=33333333"}); }), HasSubstr("divisor of 10^12"));
    EXPECT_THAT(user_error([] { set({"dram.base=0x8000_0000_0000_0000"}); }), HasSubstr("2^56"));
}

TEST(Config, ValuesThatAreNoNumbersAreRefused) {
    for (const char* value : {"", "-1", "1.5", "ten", "0x", "4 MiB", "18446744073709551616"}) {
        EXPECT_THAT(user_error([&] { set({std::string("quantum=") + value}); }),
                    HasSubstr("expected a number of cycles"))
            << value;
    }
    EXPECT_THAT(user_error([] { set({"dram.size=99999999999 GiB"}); }), HasSubstr("dram.size"));
}

/// TOML 1.0, "Integer": underscores between digits only, no leading zeros, prefixes in lower case.
TEST(Config, NumbersAreThoseOfToml) {
    for (const char* value :
         {"1000", "+1000", "1_000", "0x3e8", "0x3E8", "0x0_3E8", "0o1750", "0b11_1110_1000"}) {
        EXPECT_EQ(set({std::string("quantum=") + value}).quantum, 1000U) << value;
    }
    for (const char* value : {"1_", "_1", "1__0", "0x_1", "0x1_", "01", "0X10", "+0x10", "\"1\"",
                              "'1'", "1.0", "1e3", "0o8", "0b2", "0x"}) {
        EXPECT_THAT(user_error([&] { set({std::string("quantum=") + value}); }),
                    HasSubstr("expected a number of cycles"))
            << value;
    }
    EXPECT_NE(user_error([] { set({"dram.size=1_ MiB"}); }), "");
}

TEST(Config, ATextInAFileIsNoNumberAndNoSwitch) {
    const TemporaryDirectory directory;
    for (const char* text : {"harts = \"1\"", "dram.size = \"4096\"", "htif.enabled = \"true\"",
                             "dram.base = \"0x80000000\""}) {
        const auto file = directory.write("soc.toml", text);
        EXPECT_THAT(user_error([&] { make_config(file, {}); }),
                    AllOf(HasSubstr("\" is not valid, expected "), HasSubstr("= \"")))
            << text;
    }
    const auto file = directory.write("soc.toml", "dram.size = \"64 MiB\"\nhart.path = \"step\"");
    EXPECT_EQ(make_config(file, {}).hart.memory.size, 64U << 20);
}

TEST(Config, WhatIsMeantAsATableIsNamedAsOne) {
    const TemporaryDirectory directory;
    const auto refused = [&](const char* text) {
        const auto file = directory.write("soc.toml", text);
        return user_error([&] { make_config(file, {}); });
    };
    EXPECT_THAT(
        refused("[[hart]]\npmp_entries = 4\n"),
        HasSubstr("soc.toml:1: [[hart]] is an array of tables, expected one table, [hart]"));
    EXPECT_THAT(refused("hart = 4\n"), HasSubstr("'hart' is a table of settings"));
    EXPECT_THAT(user_error([] { set({"timing.l1i=4"}); }), HasSubstr("'timing.l1i' is a table"));
}

TEST(Config, EverythingEndsBelowTheEndOfPhysicalAddresses) {
    EXPECT_EQ(user_error([] { set({"dram.base=0xFF_FFFF_F000_0000"}); }), "");
    EXPECT_THAT(user_error([] { set({"dram.base=0xFF_FFFF_F000_1000"}); }),
                HasSubstr("dram.base = 0xfffffff0001000 is too high for 0x10000000 bytes"));
    EXPECT_THAT(user_error([] { set({"plic.base=0xFF_FFFF_FFFF_F000"}); }),
                HasSubstr("plic.base = 0xfffffffffff000 is too high"));
}

TEST(Config, WrongTypeInAFileIsRefused) {
    const TemporaryDirectory directory;
    for (const char* text : {"quantum = true", "quantum = 1.5", "quantum = [1]", "hart = 3"}) {
        EXPECT_NE(user_error([&] { make_config(directory.write("soc.toml", text), {}); }), "")
            << text;
    }
}

TEST(Config, AssignmentWithoutEqualsIsRefused) {
    EXPECT_THAT(user_error([] { set({"quantum"}); }), HasSubstr("expected key=value"));
}

TEST(Config, MissingFileAndBrokenFileAreNamed) {
    const TemporaryDirectory directory;
    EXPECT_THAT(user_error([&] { make_config(directory / "none.toml", {}); }),
                HasSubstr("none.toml"));
    EXPECT_THAT(user_error([&] { make_config(directory.path(), {}); }),
                HasSubstr(directory.path().string()));
    EXPECT_THAT(user_error([&] { make_config(directory.write("soc.toml", "a = \n"), {}); }),
                AllOf(HasSubstr("soc.toml:1"), HasSubstr("TOML")));
}

TEST(Config, OverlappingRegionsAreRefused) {
    EXPECT_THAT(user_error([] { set({"uart.base=0x8000_1000"}); }),
                AllOf(HasSubstr("uart.base = 0x80001000"), HasSubstr("dram")));
    EXPECT_THAT(user_error([] { set({"finisher.base=0x1000_0000"}); }), HasSubstr("overlaps"));
}

TEST(Config, TouchingRegionsAreNoOverlap) {
    EXPECT_EQ(user_error([] { set({"finisher.base=0x1000_1000"}); }), "");
}

TEST(Config, ACacheHoldsAtLeastOneSet) {
    EXPECT_EQ(user_error([] { set({"timing.l1d.bytes=128"}); }), ""); // 8 ways x 16 bytes
    EXPECT_THAT(user_error([] { set({"timing.l1d.bytes=64"}); }),
                AllOf(HasSubstr("timing.l1d.bytes = 64"), HasSubstr("128")));
}

TEST(Config, ShownConfigurationReadsBackAsItself) {
    const TemporaryDirectory directory;
    const PlatformConfig config =
        set({"quantum=123", "dram.size=64 MiB", "htif.enabled=false", "counters.programmable=29",
             "timing.generation=cva6-2025-07", "uart.base=0x1002_0000"});
    const std::string shown = show_config(config);
    const PlatformConfig again = make_config(directory.write("soc.toml", shown), {});
    EXPECT_EQ(again.quantum, 123U);
    EXPECT_EQ(again.hart.memory.size, 64U << 20);
    EXPECT_FALSE(again.htif.enabled);
    EXPECT_EQ(again.counters.programmable, 29U);
    EXPECT_EQ(again.devices.get<UartDescription>().range.base, 0x1002'0000U);
    EXPECT_EQ(show_config(again), shown);
}

TEST(Config, AProfileBringsItsCountersAndThePulsesOfItsEvents) {
    const PlatformConfig cva6 = set({});
    EXPECT_EQ(cva6.counters.profile, &kCva6Profile);
    EXPECT_EQ(cva6.hart.sources, kBaseEvents);
    const PlatformConfig u74 = set({"counters.profile=u74"});
    EXPECT_EQ(u74.counters.profile, &kU74Profile);
    EXPECT_EQ(u74.counters.programmable, 2U);
    EXPECT_EQ(u74.counters.width, 40U);
    EXPECT_EQ(u74.hart.sources & kBaseEvents, kBaseEvents); // the statistics show them
    EXPECT_TRUE(u74.hart.sources.has(Event::ConditionalBranch));
    EXPECT_FALSE(u74.hart.sources.has(Event::Compressed));
    const PlatformConfig pcer = set({"counters.profile=cv32e40p"});
    EXPECT_FALSE(pcer.counters.sscofpmf);
    EXPECT_TRUE(pcer.hart.sources.has(Event::Compressed));
    EXPECT_THAT(user_error([] { set({"counters.profile=u75"}); }),
                HasSubstr("expected one of cva6, u74, cv32e40p, cv32e40p-asic, cva6-pdis"));
}

TEST(Config, ExplicitKeysWinOverTheProfileWhereverTheyStand) {
    const TemporaryDirectory directory;
    const auto file = directory.write("soc.toml", "[counters]\nwidth = 48\nsscofpmf = false\n");
    const std::vector<std::string> late{"counters.programmable=4", "counters.model=rtl",
                                        "counters.profile=u74"};
    const PlatformConfig config = make_config(file, late);
    EXPECT_EQ(config.counters.profile, &kU74Profile);
    EXPECT_EQ(config.counters.programmable, 4U);
    EXPECT_EQ(config.counters.width, 48U);
    EXPECT_FALSE(config.counters.sscofpmf);
    EXPECT_EQ(config.counters.kind, CounterModel::Rtl);
}

TEST(Config, ThePcerUnitTakesNoOtherShapeAndNoFilters) {
    for (const char* key : {"counters.width=64", "counters.programmable=6",
                            "counters.sscofpmf=true", "counters.smcntrpmf=true"}) {
        const std::string sentence = user_error([&] {
            set({"counters.profile=cv32e40p-asic", key});
        });
        EXPECT_THAT(sentence, HasSubstr("cannot be combined with counters.profile = cv32e40p-asic"))
            << key;
    }
    EXPECT_THAT(user_error([] { set({"counters.programmable=30"}); }),
                HasSubstr("expected at most 29"));
}

TEST(Config, ExtensionsAreAbsentUnlessAskedForAndNeedWhatTheyBuildOn) {
    EXPECT_FALSE(set({}).hart.extensions.sstc);
    EXPECT_TRUE(set({"extensions.sstc=true"}).hart.extensions.sstc);
    EXPECT_THAT(user_error([] {
                    set({"extensions.sstc=true", "hart.time_csr=false"});
                }),
                HasSubstr("expected hart.time_csr = true"));
    EXPECT_TRUE(
        set({"extensions.smcdeleg=true", "extensions.smcsrind=true"}).hart.extensions.smcdeleg);
    EXPECT_THAT(user_error([] { set({"extensions.smcdeleg=true"}); }),
                HasSubstr("expected extensions.smcsrind = true"));
    EXPECT_THAT(user_error([] { set({"boot.pmu_delegated=true"}); }),
                HasSubstr("expected extensions.smcdeleg = true"));
    EXPECT_TRUE(set({"extensions.smctr=true", "extensions.smcsrind=true"}).hart.extensions.smctr);
    EXPECT_THAT(user_error([] { set({"extensions.smctr=true"}); }),
                HasSubstr("expected extensions.smcsrind = true"));
    EXPECT_EQ(set({"ctr.depth=16"}).hart.ctr_depth, 16U);
    EXPECT_THAT(user_error([] { set({"ctr.depth=24"}); }), HasSubstr("ctr.depth"));
    EXPECT_THAT(user_error([] { set({"ctr.depth=512"}); }), HasSubstr("ctr.depth"));
    EXPECT_THAT(user_error([] {
                    set({"extensions.smcdeleg=true", "extensions.smcsrind=true",
                         "counters.profile=cv32e40p"});
                }),
                HasSubstr("cannot be combined with counters.profile = cv32e40p"));
    EXPECT_TRUE(set({"extensions.smpdis=true", "extensions.smcsrind=true"}).hart.extensions.smpdis);
    EXPECT_THAT(user_error([] { set({"counters.profile=cva6-pdis"}); }),
                HasSubstr("expected extensions.smpdis = true"));
    EXPECT_TRUE(
        set({"counters.profile=cva6-pdis", "extensions.smpdis=true", "extensions.smcsrind=true"})
            .hart.sources.has(Event::PdisDropped));
    EXPECT_THAT(user_error([] { set({"extensions.ssamb=true"}); }),
                HasSubstr("expected extensions.smpdis = true"));
    EXPECT_THAT(user_error([] { set({"extensions.smpdis=true"}); }),
                HasSubstr("expected extensions.smcsrind = true"));
    EXPECT_THAT(
        user_error([] {
            set({"extensions.smpdis=true", "extensions.smcsrind=true", "counters.sscofpmf=false"});
        }),
        HasSubstr("expected counters.sscofpmf = true"));
}

TEST(Config, PreciseSamplingNeedsCountersThatTellWhatOverflows) {
    EXPECT_TRUE(
        set({"extensions.sspesa=true", "extensions.ssplcofi=true"}).hart.extensions.ssplcofi);
    EXPECT_THAT(user_error([] { set({"extensions.ssplcofi=true"}); }),
                HasSubstr("expected extensions.sspesa = true"));
    EXPECT_THAT(user_error([] {
                    set({"extensions.sspesa=true", "counters.sscofpmf=false"});
                }),
                HasSubstr("expected counters.sscofpmf = true"));
    EXPECT_THAT(user_error([] {
                    set({"extensions.sspesa=true", "extensions.shpmsdata=0x5C0"});
                }),
                HasSubstr("are the same number"));
    EXPECT_EQ(set({"extensions.shpmspc=0x5D8"}).hart.extensions.shpmspc, 0x5D8U);
}

TEST(Config, AProfileFileIsFoundBesideTheConfiguration) {
    const TemporaryDirectory directory;
    std::filesystem::create_directory(directory / "sub");
    std::filesystem::copy_file(PES_EXAMPLE_PROFILE, directory / "sub/mine\"\\.toml");
    const auto file =
        directory.write("soc.toml", "[counters]\nprofile_file = 'sub/mine\"\\.toml'\n");
    const PlatformConfig config = make_config(file, {});
    EXPECT_STREQ(config.counters.profile->name, "example");
    EXPECT_EQ(config.counters.programmable, 4U);
    EXPECT_FALSE(config.counters.write_freezes);
    EXPECT_TRUE(config.hart.sources.has(Event::IntegerLoad));
    const PlatformConfig copy = config; // the tables live as long as any copy
    EXPECT_EQ(copy.counters.profile, config.counters.profile);

    // What is shown reads back from anywhere.
    const std::string shown = show_config(config);
    EXPECT_THAT(shown, HasSubstr("sub/mine\\\"\\\\.toml"));
    EXPECT_EQ(show_config(make_config(directory.write("shown.toml", shown), {})), shown);

    // The command line has the last word.
    const std::vector<std::string> other{"counters.profile=u74"};
    EXPECT_EQ(make_config(file, other).counters.profile, &kU74Profile);
}

TEST(Config, AProfileFileExcludesANameBesideItAndRtl) {
    const TemporaryDirectory directory;
    const std::string name = PES_EXAMPLE_PROFILE;
    const auto both = directory.write("soc.toml", "[counters]\nprofile = \"u74\"\n"
                                                  "profile_file = \"" +
                                                      name + "\"\n");
    EXPECT_THAT(user_error([&] { make_config(both, {}); }),
                AllOf(HasSubstr("soc.toml:3"), HasSubstr("exclude each other")));
    for (const char* model : {"rtl", "lockstep"}) {
        EXPECT_THAT(
            user_error([&] {
                set({"counters.profile_file=" + name, std::string("counters.model=") + model});
            }),
            AllOf(HasSubstr("no RTL counters of the profile file"), HasSubstr(name)));
    }
    EXPECT_THAT(user_error([] { set({"counters.profile_file=none.toml"}); }),
                HasSubstr("profile file 'none.toml' cannot be read: No such file"));
}

TEST(Settings, EveryDefaultIsValid) {
    PlatformConfig config;
    for (const Setting& setting : settings()) {
        std::string value = print_value(setting, config);
        std::erase(value, '"');
        EXPECT_EQ(user_error([&] { assign(setting, config, value, "test"); }), "") << setting.key;
    }
}

TEST(Settings, KeysAreUniqueAndDescribed) {
    std::set<std::string_view> keys;
    for (const Setting& setting : settings()) {
        EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
        EXPECT_FALSE(setting.description.empty()) << setting.key;
    }
}

/// Two keys bound to one member would be invisible to a reader of the table.
TEST(Settings, EveryKeyReachesAMemberOfItsOwn) {
    PlatformConfig config;
    std::set<const void*> members;
    for (const Setting& setting : settings()) {
        const void* member = std::visit([](auto* value) -> const void* { return value; },
                                        setting.slot(config, setting));
        EXPECT_TRUE(members.insert(member).second) << setting.key;
    }
}

} // namespace
} // namespace pes
