// SPDX-License-Identifier: Apache-2.0
#include "platform/config/core_package.h"

#include "platform/config/package_reader.h"
#include "platform/config/settings.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"
#include "tests/unit/platform/config/core_package_facts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace pes {
namespace {

using test::package_facts;
using test::package_text;
using test::PackageFacts;
using test::TemporaryDirectory;
using test::user_error;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kTrees = std::to_array<const char*>({"v5.3.0", "2026-08"});

std::map<std::string, std::string> by_key(const CorePackage& package) {
    std::map<std::string, std::string> values;
    for (const std::string& assignment : package.assignments) {
        const std::size_t equals = assignment.find('=');
        values.emplace(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    return values;
}

/// The default core of a tree with some parameters that differ.
PackageFacts changed(const char* tree,
                     const std::vector<std::pair<std::string, std::string>>& changes) {
    PackageFacts facts = package_facts(tree).front();
    for (const auto& change : changes) {
        const auto found = std::ranges::find(facts.parameters, change.first,
                                             &std::pair<std::string, std::string>::first);
        if (found == facts.parameters.end()) {
            facts.parameters.push_back(change);
        } else {
            found->second = change.second;
        }
    }
    return facts;
}

class CorePackages : public ::testing::Test {
  protected:
    std::filesystem::path write(const PackageFacts& facts) const {
        return directory_.write("core.sv", package_text(facts));
    }
    CorePackage read(const PackageFacts& facts) const { return read_core_package(write(facts)); }
    std::string refusal(const PackageFacts& facts) const {
        return user_error([&] { read(facts); });
    }
    /// `body` is what is between the braces of the configuration.
    std::filesystem::path members(const std::string& body) const {
        return directory_.write("core.sv", "package p;\nlocalparam cva6_user_cfg_t c = '{" + body +
                                               "};\nendpackage\n");
    }

    TemporaryDirectory directory_;
};

TEST_F(CorePackages, EveryValueOfEveryPackageIsRead) {
    for (const char* tree : kTrees) {
        for (const PackageFacts& facts : package_facts(tree)) {
            PackageFile file(write(facts), "cva6_user_cfg_t");
            std::size_t known = 0;
            for (const PackageFile::Member& member : file.members()) {
                const std::string expected = facts.value(member.name);
                if (!expected.empty()) {
                    EXPECT_EQ(file.value(member).text(), expected)
                        << tree << " " << facts.name << " " << member.name;
                    ++known;
                }
            }
            EXPECT_EQ(known, facts.parameters.size()) << tree << " " << facts.name;
        }
    }
}

/// A package is refused for what is behind it here, and for more perhaps.
struct Refused {
    const char* package;
    std::vector<const char*> for_these;
};
const std::vector<Refused> kRefused{
    {"cv32a60x", {"XLEN = 32", "DCacheType = HPDCACHE_WT", "RVS = 0"}},
    {"cv32a65x", {"XLEN = 32", "SuperscalarEn = 1", "UseSharedTlb = 1"}},
    {"32_embedded", {"XLEN = 32", "MmuPresent = 0", "NrLoadBufEntries = 1"}},
    {"32_ima_sv32_fpga", {"XLEN = 32", "RVC = 0"}},
    {"32_imac_sv0", {"XLEN = 32", "UseSharedTlb = 1"}},
    {"32_imac_sv32", {"XLEN = 32", "DCacheType = HPDCACHE_WT"}},
    {"32_imafc_sv32", {"XLEN = 32", "DCacheType = WB"}},
    {"cv64a60ax", {"DCacheType = HPDCACHE_WT", "AxiDataWidth = 128", "RVZiCbom = 1"}},
    {"cv64a60ax_cvfpu-uvm", {"DCacheType = HPDCACHE_WT", "AxiDataWidth = 128"}},
    {"cv64a6_imadfcv_sv39_polara", {"RVV = 1", "NOCType = NOC_TYPE_L15_BIG_ENDIAN"}},
    {"64gc_sv39_hpdcache", {"DCacheType = HPDCACHE_WT", "NrLoadBufEntries = 8"}},
    {"64gc_sv39_hpdcache_wb", {"DCacheType = HPDCACHE_WB"}},
    {"64gc_sv39_openpiton", {"NOCType = NOC_TYPE_L15_BIG_ENDIAN"}},
    {"64gc_sv39_wb", {"DCacheType = WB"}},
    {"64gch_sv39", {"RVH = 1"}},
    {"64gch_sv39_wb", {"RVH = 1", "DCacheType = WB"}},
    {"64gcv_sv39", {"RVV = 1"}},
    {"cv64a6_mmu", {"UseSharedTlb = 1"}},
};

TEST_F(CorePackages, PackagesOfOtherCoresAreRefusedForAllReasonsAtOnce) {
    for (const char* tree : kTrees) {
        for (const PackageFacts& facts : package_facts(tree)) {
            const std::string sentence = refusal(facts);
            const auto known = std::ranges::find_if(
                kRefused, [&facts](const Refused& row) { return facts.name == row.package; });
            if (known == kRefused.end()) {
                EXPECT_EQ(facts.name, "64gc_sv39");
                EXPECT_EQ(sentence, "") << tree;
                continue;
            }
            EXPECT_THAT(sentence, HasSubstr("core.sv: the model is not this core: "));
            for (const char* reason : known->for_these) {
                EXPECT_THAT(sentence, HasSubstr(reason)) << tree << " " << facts.name;
            }
        }
    }
}

TEST_F(CorePackages, TheModelledCoreChangesNothing) {
    const std::string before = show_config(PlatformConfig{});
    const std::vector<std::string> set{"core_package=" +
                                       write(package_facts("v5.3.0").front()).string()};
    EXPECT_EQ(show_config(make_config({}, set)), before);
}

TEST_F(CorePackages, TheNewestDefaultCoreHasAllOfZkn) {
    const CorePackage package = read(package_facts("2026-08").front());
    EXPECT_EQ(by_key(package)["hart.isa"],
              isa_string(parse_isa("rv64gc_zicond_zcb_b_zbc_zkn").isa));
    EXPECT_THAT(package.notes, ::testing::Contains(HasSubstr("SvnapotEn = 1")));
}

TEST_F(CorePackages, SizesBecomeSettings) {
    auto values = by_key(read(changed("v5.3.0", {{"IcacheByteSize", "8192"},
                                                 {"IcacheSetAssoc", "2"},
                                                 {"IcacheLineWidth", "256"},
                                                 {"DcacheByteSize", "16384"},
                                                 {"DcacheSetAssoc", "4"},
                                                 {"DcacheLineWidth", "512"},
                                                 {"InstrTlbEntries", "2"},
                                                 {"DataTlbEntries", "32"},
                                                 {"BHTEntries", "64"},
                                                 {"BTBEntries", "8"},
                                                 {"RASDepth", "4"},
                                                 {"NrScoreboardEntries", "4"},
                                                 {"WtDcacheWbufDepth", "2"},
                                                 {"MemTidWidth", "4"},
                                                 {"NrPMPEntries", "0"}})));
    const std::map<std::string, std::string> expected{
        {"timing.l1i.bytes", "8192"},       {"timing.l1i.ways", "2"},
        {"timing.l1i.line_bytes", "32"},    {"timing.l1d.bytes", "16384"},
        {"timing.l1d.ways", "4"},           {"timing.l1d.line_bytes", "64"},
        {"hart.itlb_entries", "2"},         {"hart.dtlb_entries", "32"},
        {"timing.bht_rows", "32"},          {"timing.btb_rows", "4"},
        {"timing.ras_entries", "4"},        {"timing.scoreboard_entries", "4"},
        {"timing.write_buffer_words", "2"}, {"timing.writes_in_flight", "16"},
        {"hart.pmp_entries", "0"}};
    for (const auto& [key, value] : expected) {
        EXPECT_EQ(values[key], value) << key;
    }
}

TEST_F(CorePackages, StagesAndFlagsBecomeSettings) {
    auto values = by_key(read(changed("v5.3.0", {{"NrCommitPorts", "1"},
                                                 {"NrLoadPipeRegs", "0"},
                                                 {"NrStorePipeRegs", "1"},
                                                 {"BTBEntries", "0"},
                                                 {"NrPMPEntries", "64"},
                                                 {"PMPNapotEn", "0"},
                                                 {"TvalEn", "0"},
                                                 {"DirectVecOnly", "1"}})));
    const std::map<std::string, std::string> expected{{"timing.commit_ports", "1"},
                                                      {"timing.load_pipe_registers", "0"},
                                                      {"timing.store_pipe_registers", "1"},
                                                      {"timing.btb_rows", "0"},
                                                      {"hart.pmp_entries", "64"},
                                                      {"hart.pmp_napot", "false"},
                                                      {"hart.xtval", "false"},
                                                      {"hart.mtvec_vectored", "false"}};
    for (const auto& [key, value] : expected) {
        EXPECT_EQ(values[key], value) << key;
    }
    EXPECT_THAT(refusal(changed("v5.3.0", {{"TvalEn", "2"}})), HasSubstr("TvalEn = 2"));
}

TEST_F(CorePackages, EverySettingThatAParameterSetsIsOne) {
    for (const PackageParameter& row : package_parameters()) {
        if (row.effect == PackageParameter::Effect::Sets) {
            EXPECT_NE(find_setting(row.target), nullptr) << row.name;
        }
    }
}

TEST_F(CorePackages, ExtensionsBecomeAnIsaString) {
    const auto isa = [this](const std::vector<std::pair<std::string, std::string>>& changes) {
        return by_key(read(changed("v5.3.0", changes)))["hart.isa"];
    };
    EXPECT_EQ(isa({}), isa_string(HartConfig{}.extensions.isa));
    EXPECT_EQ(isa({{"RVF", "0"}, {"RVD", "0"}, {"RVA", "0"}}),
              "rv64imc_zicond_zicsr_zifencei_zcb_zba_zbb_zbc_zbkb_zbs");
    EXPECT_EQ(isa({{"RVD", "0"}, {"ZKN", "0"}}),
              "rv64imafc_zicond_zicsr_zifencei_zcb_zba_zbb_zbc_zbs");
    EXPECT_EQ(isa({{"RVB", "0"}, {"RVZCB", "0"}, {"RVZiCond", "0"}}), "rv64imafdc_zicsr_zifencei");
    EXPECT_THAT(refusal(changed("v5.3.0", {{"RVF", "0"}})), HasSubstr("RVD = 1 with RVF = 0"));
    EXPECT_THAT(refusal(changed("v5.3.0", {{"RVF", "2"}})), HasSubstr("expected 0 or 1"));
}

// docs/core-packages.md, "Order": the file comes before the option.
TEST_F(CorePackages, ExtensionsThatItDoesNotNameAreThoseOfTheConfigurationFile) {
    const auto file = directory_.write("isa.toml", "[hart]\nisa = \"rv64imc\"\n");
    const std::vector<std::string> set{"core_package=" + members("RVZCB: 1").string()};
    EXPECT_EQ(isa_string(make_config(file, set).hart.extensions.isa), "rv64imc_zicsr_zifencei_zcb");
}

TEST_F(CorePackages, ValuesThatASettingDoesNotTakeAreRefusedTogether) {
    const std::string sentence = refusal(changed("v5.3.0", {{"DcacheByteSize", "2028"},
                                                            {"BHTEntries", "33"},
                                                            {"MemTidWidth", "60"},
                                                            {"IcacheLineWidth", "100"},
                                                            {"RASDepth", "0"}}));
    EXPECT_THAT(sentence, AllOf(HasSubstr("DcacheByteSize = 2028"), HasSubstr("BHTEntries = 33"),
                                HasSubstr("MemTidWidth = 60"), HasSubstr("IcacheLineWidth = 100")));
    EXPECT_THAT(sentence, AllOf(HasSubstr("RASDepth = 0 in line "),
                                HasSubstr("expected a whole number from 1 to 64")));
    EXPECT_THAT(user_error([&] { read_core_package(members("RASDepth: config_pkg::WT")); }),
                HasSubstr("RASDepth = WT in line 2"));
}

TEST_F(CorePackages, WhatHasNoEffectIsTold) {
    const CorePackage package =
        read_core_package(members("TechnoCut: 1,\nDebugEn: 0, CvxifEn: 1, DcacheLineWidth: 256,"
                                  "DmBaseAddress: nowhere"));
    EXPECT_THAT(package.notes,
                ElementsAre(HasSubstr("core.sv:2: TechnoCut = 1: "),
                            HasSubstr("core.sv:3: DebugEn = 0: "),
                            AllOf(HasSubstr("DcacheLineWidth = 256"), HasSubstr("refill_cycles"))));
    EXPECT_EQ(package.elsewhere, "DmBaseAddress");
    EXPECT_THAT(package.assignments, ElementsAre("timing.l1d.line_bytes=32"));
}

TEST_F(CorePackages, UnknownParametersAreNamed) {
    EXPECT_THAT(user_error([&] { read_core_package(members("XLEN: 64, Speed: 3,\nHeat: 4")); }),
                HasSubstr("'Speed' in line 2, 'Heat' in line 3 is not known"));
}

TEST_F(CorePackages, ListsAtResetMustBeZero) {
    EXPECT_EQ(user_error([&] { read_core_package(members("PMPCfgRstVal: {64{64'h0}}")); }), "");
    EXPECT_THAT(user_error([&] { read_core_package(members("PMPCfgRstVal: {64{64'h1}}")); }),
                HasSubstr("PMPCfgRstVal = {...} in line 2, expected 0"));
}

TEST_F(CorePackages, TheFileGivesWayToThePackageAndThePackageToAssignments) {
    members("RASDepth: 8, NrPMPEntries: 4, BHTEntries: 32");
    directory_.write("other.sv", "package p; localparam cva6_user_cfg_t c = '{RASDepth: 16}; "
                                 "endpackage");
    const auto file = directory_.write("soc.toml", "core_package = \"core.sv\"\n[hart]\n"
                                                   "pmp_entries = 6\n");
    const PlatformConfig alone = make_config(file, {});
    EXPECT_EQ(alone.hart.timing.ras_entries, 8U);
    EXPECT_EQ(alone.hart.pmp_entries, 6U);
    const std::vector<std::string> set{"timing.bht_rows=64",
                                       "core_package=" + (directory_ / "core.sv").string()};
    const PlatformConfig both = make_config(file, set);
    EXPECT_EQ(both.hart.pmp_entries, 4U);
    EXPECT_EQ(both.hart.timing.bht_rows, 64U);
    const std::vector<std::string> last{set[1],
                                        "core_package=" + (directory_ / "other.sv").string()};
    EXPECT_EQ(make_config({}, last).hart.timing.ras_entries, 16U);
    EXPECT_EQ(make_config({}, last).hart.pmp_entries, HartConfig{}.pmp_entries);
    const std::vector<std::string> none{"core_package="};
    EXPECT_EQ(show_config(make_config({}, none)), show_config(PlatformConfig{}));
}

TEST(CorePackageTable, NamesEachParameterOnce) {
    std::set<std::string_view> names;
    for (const PackageParameter& row : package_parameters()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.meaning.empty()) << row.name;
        EXPECT_EQ(row.target.empty(), row.effect == PackageParameter::Effect::Elsewhere);
    }
    for (const char* tree : kTrees) {
        const PackageFacts facts = package_facts(tree).front();
        for (const auto& [name, value] : facts.parameters) {
            EXPECT_TRUE(names.contains(name)) << tree << " " << name;
        }
    }
}

} // namespace
} // namespace pes
