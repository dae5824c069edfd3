// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/platform/cli/command_line.h"
#include "tests/unit/platform/cli/guest_code.h"

namespace pes {
namespace {

using test::exit_code;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CorePackageCommand : public test::CommandLine {
  protected:
    void package(const std::string& members) {
        directory_.write("core.sv", "package core_pkg; // a core for tests\n"
                                    "  localparam Ways = 1 << 1;\n"
                                    "  localparam config_pkg::cva6_user_cfg_t cfg = '{\n" +
                                        members + "  };\nendpackage\n");
    }
};

TEST_F(CorePackageCommand, ItsSettingsAreShown) {
    package("    XLEN: unsigned'(64),\n    IcacheByteSize: 8192,\n"
            "    IcacheSetAssoc: unsigned'(Ways),\n    RVF: bit'(0), RVD: bit'(0)\n");
    const test::CommandResult shown = pes_vp("run --show-config --core-package core.sv");
    EXPECT_EQ(shown.exit_code, 0);
    EXPECT_EQ(shown.err, "");
    EXPECT_THAT(shown.out, AllOf(HasSubstr("\nbytes = 8192\n"), HasSubstr("\nways = 2\n"),
                                 HasSubstr("\nisa = \"rv64imac_"), Not(HasSubstr("core_package"))));
    directory_.write("soc.toml", shown.out);
    EXPECT_EQ(pes_vp("run --show-config --config soc.toml").out, shown.out);
}

TEST_F(CorePackageCommand, TheFileGivesWayToItAndItGivesWayToSet) {
    package("    NrPMPEntries: 4, RASDepth: 8\n");
    directory_.write("soc.toml", "[hart]\npmp_entries = 6\n");
    EXPECT_THAT(pes_vp("run --show-config --set timing.ras_entries=16 --core-package core.sv "
                       "--config soc.toml")
                    .out,
                AllOf(HasSubstr("\npmp_entries = 4\n"), HasSubstr("\nras_entries = 16\n")));
}

TEST_F(CorePackageCommand, WhatHasNoEffectIsSaidOnStandardError) {
    package("    TechnoCut: 1\n");
    const test::CommandResult shown = pes_vp("run --show-config --core-package core.sv");
    EXPECT_EQ(shown.exit_code, 0);
    EXPECT_EQ(shown.out, pes_vp("run --show-config").out);
    EXPECT_THAT(shown.err, HasSubstr("core.sv:4: TechnoCut = 1: "));
}

TEST_F(CorePackageCommand, MistakesAreOneSentence) {
    guest(exit_code(0));
    package("    XLEN: 32,\n    DCacheType: config_pkg::WB,\n    Speed: 3\n");
    for (const char* command : {"run guest.elf --stats s --core-package core.sv",
                                "profile guest.elf --samples s --core-package core.sv",
                                "run guest.elf --stats s --set core_package=core.sv",
                                "exec --prepare --cache linux --core-package core.sv"}) {
        expect_refused(command,
                       "core.sv: the model is not this core: XLEN = 32 in line 4, expected "
                       "64 (the model has the 64-bit instruction set); DCacheType = WB in "
                       "line 5, expected WT (");
        expect_refused(command, "; 'Speed' in line 6 is not known");
    }
    package("    XLEN: 64 / 0\n");
    expect_refused("run guest.elf --stats s --core-package core.sv",
                   "core.sv:4: division by zero in the value of 'XLEN'");
    package("    XLEN: 64,\n    XLEN: 64\n");
    expect_refused("run guest.elf --core-package core.sv",
                   "core.sv:5: 'XLEN' is in line 4 already");
    directory_.write("core.sv", "package core_pkg;\n  localparam A = (1");
    expect_refused("run guest.elf --core-package core.sv",
                   "core.sv:2: got the end of the file, expected ')' in the value of 'A'");
    expect_refused("run guest.elf --core-package none.sv", "none.sv");
    expect_refused("run guest.elf --core-package ''", "--core-package");
    expect_refused("run guest.elf --core-package .", "'.'");
}

TEST_F(CorePackageCommand, ARunHasTheCore) {
    guest(exit_code(0));
    package("    RVC: 1, BHTEntries: 32, NrScoreboardEntries: 4\n");
    EXPECT_EQ(pes_vp("run guest.elf --quiet --core-package core.sv").exit_code, 0);
    directory_.write("soc.toml", "core_package = \"core.sv\"\n");
    EXPECT_THAT(pes_vp("run --show-config --config soc.toml").out, HasSubstr("\nbht_rows = 16\n"));
}

} // namespace
} // namespace pes
