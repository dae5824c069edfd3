// SPDX-License-Identifier: Apache-2.0
// ISA strings, as the unprivileged specification writes them ("ISA Extension Naming Conventions"),
// as compilers print them, and as people mistype them.
#include "hw/interface/riscv/isa.h"

#include <gtest/gtest.h>

#include <array>

namespace pes {
namespace {

using enum IsaExtension;

Isa isa(std::string_view text) {
    const ParsedIsa parsed = parse_isa(text);
    EXPECT_EQ(parsed.error, "") << text;
    return parsed.isa;
}

TEST(IsaString, LettersAndNamesInAnyCaseAndOrder) {
    const Isa expected{.xlen = 64, .extensions = {M, A, F, D, C, Zba, Zbs}};
    for (const std::string_view text :
         {"rv64imafdc_zba_zbs", "RV64IMAFDC_Zba_Zbs", "rv64gc_zbs_zba", "rv64imafdczba_zbs",
          "rv64icdfam_zba_zbs", "rv64gc_zicsr_zifencei_zba_zbs"}) {
        EXPECT_EQ(isa(text), expected) << text;
    }
}

TEST(IsaString, NamesOfGroupsAndWhatAnExtensionRequires) {
    EXPECT_EQ(isa("rv64gcb"), isa("rv64gc_zba_zbb_zbs"));
    EXPECT_EQ(isa("rv64gc_zkn"), isa("rv64gc_zbkb_zbkc_zbkx_zknd_zkne_zknh"));
    EXPECT_EQ(isa("rv64idc").extensions, IsaSet({F, D, C}));
    EXPECT_EQ(isa("rv64i_zcb").extensions, IsaSet({C, Zcb}));
}

TEST(IsaString, VersionsAreIgnoredWithAWord) {
    // As GCC's attribute of an object has it.
    const ParsedIsa parsed = parse_isa("rv64i2p1_m2p0_a2_c2p0_zba1p0_zicsr2p0");
    EXPECT_EQ(parsed.error, "");
    EXPECT_EQ(parsed.isa, isa("rv64imac_zba"));
    ASSERT_EQ(parsed.notes.size(), 6U);
    EXPECT_EQ(parsed.notes[0], "version 2p1 of 'i' is ignored");
    EXPECT_EQ(parsed.notes[2], "version 2 of 'a' is ignored");
    EXPECT_EQ(parsed.notes[4], "version 1p0 of 'zba' is ignored");
}

TEST(IsaString, WhatOtherSettingsDecideIsIgnoredWithAWord) {
    const ParsedIsa parsed = parse_isa("rv64gc_zicntr_zihpm");
    EXPECT_EQ(parsed.isa, isa("rv64gc"));
    EXPECT_EQ(parsed.notes.size(), 2U);
}

TEST(IsaString, AMistakeIsNamed) {
    struct Mistake {
        std::string_view text, says;
    };
    constexpr std::array kMistakes{
        Mistake{"", "it does not begin with rv64"},
        Mistake{"gc", "it does not begin with rv64"},
        Mistake{"rv32gc", "the model has 64 bits"},
        Mistake{"rv64", "the base 'i' is missing"},
        Mistake{"rv64mac", "the base 'i' is missing"},
        Mistake{"rv64e", "the base 'i' is missing"},
        Mistake{"rv64gcv", "'v' is no extension of the model"},
        Mistake{"rv64gc_zbx", "'zbx' is no extension of the model"},
        Mistake{"rv64gc_zba_zvl128b", "'zvl128b' is no extension of the model"},
        Mistake{"rv64gc_xtheadba", "'xtheadba' is no extension of the model"},
        Mistake{"rv64gc_sstc", "'sstc' is no unprivileged extension"},
        Mistake{"rv64gc__zba", "two underscores"},
        Mistake{"rv64gc_", "an underscore without a name"},
        Mistake{"rv64gc zba", "' ' is no extension"},
        Mistake{"rv64ima", "'c' cannot be left out"},
    };
    for (const auto& [text, says] : kMistakes) {
        const std::string error = parse_isa(text).error;
        EXPECT_TRUE(error.starts_with(says)) << text << ": " << error;
    }
}

TEST(IsaString, IsPrintedInCanonicalOrderAndReadAgain) {
    EXPECT_EQ(isa_string(isa("rv64gcb_zkn_zcb_zicond_zbc")),
              "rv64imafdc_zicond_zicsr_zifencei_zcb_zba_zbb_zbc_zbkb_zbkc_zbkx_zbs_zknd_zkne_zknh");
    EXPECT_EQ(isa_string(isa("rv64ic")), "rv64ic_zicsr_zifencei");
    EXPECT_EQ(isa(isa_string(kWholeIsa)), kWholeIsa);
}

TEST(IsaString, MisaHasTheLettersThatAreThereAndBIfItsThreePartsAre) {
    const auto letters = [](std::string_view names) {
        std::uint32_t mask = 0;
        for (const char name : names) {
            mask |= 1U << (name - 'A');
        }
        return mask;
    };
    EXPECT_EQ(misa_letters(isa("rv64gc")), letters("IMAFDC"));
    EXPECT_EQ(misa_letters(isa("rv64gc_zba_zbb")), letters("IMAFDC"));
    EXPECT_EQ(misa_letters(isa("rv64gcb")), letters("BIMAFDC"));
    EXPECT_EQ(misa_letters(isa("rv64ifc")), letters("IFC"));
}

} // namespace
} // namespace pes
