// SPDX-License-Identifier: Apache-2.0
// `pes-vp pmu-events`: the files in their places, the same each time, and what is refused.
#include "hw/interface/pmu/profiles.h"
#include "platform/profile/libpfm4_files.h"
#include "platform/profile/pmu_event_files.h"
#include "tests/unit/platform/cli/command_line.h"

#include <filesystem>

namespace pes {
namespace {

using namespace test;

class PmuEvents : public CommandLine {};

TEST_F(PmuEvents, AreWrittenBelowTheDirectory) {
    ASSERT_EQ(pes_vp("pmu-events --profile u74 -o new/riscv").exit_code, 0);
    const auto files = pmu_event_files(kU74Profile, {.vendor = 0x602, .architecture = 3});
    for (const PmuEventFile& file : files) {
        EXPECT_EQ(read_file(directory_ / "new/riscv" / file.name), file.text);
    }
    // Again, over what is there.
    ASSERT_EQ(pes_vp("pmu-events --profile u74 --output new/riscv").exit_code, 0);
    std::size_t written = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(directory_ / "new/riscv")) {
        written += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_EQ(written, files.size());
}

TEST_F(PmuEvents, OfAProfileFileHaveItsName) {
    ASSERT_EQ(pes_vp("pmu-events --profile " PES_EXAMPLE_PROFILE " -o out").exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(directory_ / "out/pes/example/general.json"));
}

TEST_F(PmuEvents, AreSourcesOfLibpfm4IfAskedFor) {
    ASSERT_EQ(pes_vp("pmu-events --profile u74 --format libpfm4 -o pfm").exit_code, 0);
    for (const PmuEventFile& file : libpfm4_files(kU74Profile, "sifive,u74-mc")) {
        EXPECT_EQ(read_file(directory_ / "pfm" / file.name), file.text);
    }
    // A profile without a core of its own is found by the modelled one's name.
    ASSERT_EQ(pes_vp("pmu-events --format libpfm4 -o pfm").exit_code, 0);
    EXPECT_THAT(read_file(directory_ / "pfm/lib/pfmlib_riscv_cva6.c"),
                ::testing::HasSubstr("core[] = \"openhwgroup,cva6\";"));
}

TEST_F(PmuEvents, ArePresetsOfPapiIfAskedFor) {
    ASSERT_EQ(pes_vp("pmu-events --profile " PES_EXAMPLE_PROFILE " --format papi -o out").exit_code,
              0);
    EXPECT_THAT(read_file(directory_ / "out/papi_events.csv"),
                ::testing::HasSubstr("CPU,riscv_example\nPRESET,PAPI_TOT_CYC,"));
}

// libpfm4's sources as they are around the places that the script looks for.
TEST_F(PmuEvents, AreRegisteredInALibpfm4) {
    for (const char* folder : {"pfm4/include/perfmon", "pfm4/lib/events"}) {
        std::filesystem::create_directories(directory_ / folder);
    }
    directory_.write("pfm4/include/perfmon/pfmlib.h",
                     "\tPFM_PMU_NONE= 0,\n\n\tPFM_PMU_MAX\t\t/* end marker */\n} pfm_pmu_t;\n");
    directory_.write("pfm4/lib/pfmlib_priv.h", "extern pfmlib_os_t *pfmlib_os;\n");
    directory_.write("pfm4/lib/pfmlib_common.c",
                     "static pfmlib_pmu_t *pfmlib_pmus[]=\n{\n\t&one,\n};\n/* pfmlib_pmus[] "
                     "*/\nint x[]=\n{\n};\n");
    directory_.write("pfm4/lib/Makefile", "SRCS=a.c\nOBJS=$(SRCS:.c=.o)\n");
    const std::string in = "cd '" + directory_.path().string() + "' && ";
    for (int time = 0; time < 2; ++time) { // the second time changes nothing
        ASSERT_EQ(pes_vp("pmu-events --format libpfm4 -o pfm").exit_code, 0);
        ASSERT_EQ(run_command(in + "sh pfm/register.sh pfm4").exit_code, 0);
        EXPECT_EQ(read_file(directory_ / "pfm4/include/perfmon/pfmlib.h"),
                  "\tPFM_PMU_NONE= 0,\n\n\tPFM_PMU_RISCV_CVA6,\n\tPFM_PMU_MAX\t\t/* end marker */\n"
                  "} pfm_pmu_t;\n");
        EXPECT_EQ(read_file(directory_ / "pfm4/lib/pfmlib_priv.h"),
                  "extern pfmlib_pmu_t riscv_cva6_support;\nextern pfmlib_os_t *pfmlib_os;\n");
        EXPECT_EQ(read_file(directory_ / "pfm4/lib/pfmlib_common.c"),
                  "static pfmlib_pmu_t *pfmlib_pmus[]=\n{\n\t&one,\n#ifdef __riscv\n"
                  "\t&riscv_cva6_support,\n#endif\n};\n/* pfmlib_pmus[] */\nint x[]=\n{\n};\n");
        EXPECT_EQ(read_file(directory_ / "pfm4/lib/Makefile"),
                  "SRCS=a.c\nifneq (,$(findstring riscv,$(ARCH)))\nSRCS += pfmlib_riscv_cva6.c\n"
                  "endif\nOBJS=$(SRCS:.c=.o)\n");
    }
    EXPECT_TRUE(std::filesystem::exists(directory_ / "pfm4/lib/events/riscv_cva6_events.h"));
    EXPECT_EQ(run_command(in + "sh pfm/register.sh pfm 2>/dev/null").exit_code, 2);
}

TEST_F(PmuEvents, AreRefusedInOneSentence) {
    directory_.write("file", "");
    expect_refused("pmu-events", "-o is missing");
    expect_refused("pmu-events -o ''", "-o");
    expect_refused("pmu-events --profile u75 -o out", "'u75'");
    expect_refused("pmu-events --profile cv32e40p -o out", "PCER");
    expect_refused("pmu-events --format csv -o out", "csv");
    expect_refused("pmu-events --profile cv32e40p --format papi -o out", "PCER");
    expect_refused("pmu-events -o file", "file");
    expect_refused("pmu-events -o out --bogus", "--bogus");
    expect_refused("pmu-events --bogus", "(pes-vp pmu-events --help lists the options)");
}

} // namespace
} // namespace pes
