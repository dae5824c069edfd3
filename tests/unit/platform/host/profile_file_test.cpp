// SPDX-License-Identifier: Apache-2.0
// Profiles from files: what a file says is what the profile is, and each mistake has its sentence.
#include "platform/host/profile_file.h"

#include "hw/common/event.h"
#include "hw/hpm/counter_config.h"
#include "hw/interface/pmu/profiles.h"
#include "hw/interface/pmu/pulse_sources.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

namespace pes {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kHead = "name = \"mine\"\n"            // line 1
                              "counters = 4\n"               // 2
                              "width = 40\n"                 // 3
                              "selector = \"number\"\n"      // 4
                              "selector_mask = 0xFF\n"       // 5
                              "sscofpmf = true\n"            // 6
                              "smcntrpmf = false\n";         // 7
constexpr const char* kLoad = "[[event]]\n"                  // 8
                              "selector = 9\n"               // 9
                              "name = \"load\"\n"            // 10
                              "title = \"Load\"\n"           // 11
                              "meaning = \"A load.\"\n"      // 12
                              "source = \"integer-load\"\n"; // 13

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

/// The sentence about a file with this text, without the directory.
std::string sentence(const std::string& text) {
    const TemporaryDirectory directory;
    const auto file = directory.write("mine.toml", text);
    const std::string said = user_error([&] { const ProfileFile profile(file); });
    const std::string place = directory.path().string() + "/";
    return said.starts_with(place) ? said.substr(place.size()) : said;
}

TEST(ProfileFile, TheExampleIsWhatItSays) {
    const ProfileFile file(PES_EXAMPLE_PROFILE);
    const PmuProfile& profile = file.profile();
    EXPECT_STREQ(profile.name, "example");
    EXPECT_STREQ(profile.cpu, "example,core");
    EXPECT_EQ(profile.programmable, 4U);
    EXPECT_EQ(profile.width, 48U);
    EXPECT_EQ(profile.selector_kind, SelectorKind::Number);
    EXPECT_EQ(profile.selector_mask, 0xFFFU);
    EXPECT_EQ(profile.registers, RegisterSet::Hpm);
    EXPECT_TRUE(profile.sscofpmf);
    EXPECT_FALSE(profile.smcntrpmf);
    EXPECT_FALSE(profile.write_freezes);
    const EventRow* load = find_selector(profile, 0x201);
    ASSERT_NE(load, nullptr);
    EXPECT_STREQ(load->name, "int-load");
    EXPECT_STREQ(load->title, "Integer load");
    EXPECT_EQ(load->source, Event::IntegerLoad);
    EXPECT_EQ(load->kind(), EventClass::Commit);
    EXPECT_EQ(find_selector(profile, 0x401)->kind(), EventClass::Miss);
    EXPECT_EQ(find_selector(profile, 0x101)->kind(), EventClass::Level);
    ASSERT_EQ(profile.sbi_event_count, 6U);
    EXPECT_EQ(profile.sbi_events[2].event, 5U);
    EXPECT_EQ(profile.sbi_events[2].selector, 0x301U);
    ASSERT_EQ(profile.raw_event_count, 1U);
    EXPECT_EQ(profile.raw_events[0].mask, 0xFFFF'FFFF'FFFF'F000U);
}

TEST(ProfileFile, ASourceIsOfTheKindThatTheBuiltInTablesGiveIt) {
    const TemporaryDirectory directory;
    for (const PmuProfile* profile : kProfiles) {
        for (const EventRow& row : *profile) {
            const ProfileFile file(
                directory.write("mine.toml", std::string(kHead) + replaced(kLoad, "integer-load",
                                                                           to_string(row.source))));
            EXPECT_EQ(file.profile().events[0].source, row.source)
                << profile->name << " " << row.name;
        }
    }
}

TEST(ProfileFile, SbiRowsMayStandInAnyOrder) {
    const TemporaryDirectory directory;
    const ProfileFile file(directory.write(
        "mine.toml", std::string(kHead) + kLoad + "[[sbi]]\nevent = 0x10000\nselector = 9\n" +
                         "[[sbi]]\nevent = 3\nselector = 9\n"));
    EXPECT_EQ(file.profile().sbi_events[0].event, 3U);
    EXPECT_EQ(file.profile().sbi_events[1].event, 0x10000U);
}

TEST(ProfileFile, ASelectorOfClassAndMaskMayNameSeveralEvents) {
    const TemporaryDirectory directory;
    std::string text = replaced(kHead, "number", "class-mask");
    text = replaced(text, "0xFF", "0xFFFF") + replaced(kLoad, "= 9", "= 0x101") +
           replaced(replaced(kLoad, "= 9", "= 0x201"), "\"load\"", "\"load2\"");
    const ProfileFile file(
        directory.write("mine.toml", text + "[[sbi]]\nevent = 3\nselector = 0x301\n"));
    EXPECT_EQ(file.profile().sbi_events[0].selector, 0x301U);
    EXPECT_EQ(sentence(text + "[[sbi]]\nevent = 3\nselector = 0x701\n"),
              "mine.toml:22: selector = 0x701 has no event, expected one of the tables [[event]]");
    EXPECT_THAT(sentence(text + replaced(replaced(kLoad, "= 9", "= 0x602"), "\"load\"", "\"x\"")),
                AllOf(HasSubstr("0x602"), HasSubstr("one bit above them")));
}

TEST(ProfileFile, UnknownKeysAreNamedWithTheirLine) {
    EXPECT_THAT(sentence(std::string("speed = 3\n") + kHead + kLoad),
                StartsWith("mine.toml:1: unknown key 'speed', expected one of name, cpu,"));
    EXPECT_THAT(sentence(std::string(kHead) + kLoad + "colour = 3\n"),
                StartsWith("mine.toml:14: unknown key 'colour', expected one of selector, name,"));
    EXPECT_THAT(sentence(std::string(kHead) + kLoad + "[[raw]]\nselect = 0\nmask = 0\nbits = 1\n"),
                StartsWith("mine.toml:17: unknown key 'bits'"));
}

TEST(ProfileFile, MissingKeysAreNamed) {
    for (const char* line :
         {"name = \"mine\"\n", "counters = 4\n", "width = 40\n", "selector = \"number\"\n",
          "selector_mask = 0xFF\n", "sscofpmf = true\n", "smcntrpmf = false\n"}) {
        const std::string key(line, std::string(line).find(' '));
        EXPECT_THAT(sentence(replaced(kHead, line, "") + kLoad),
                    HasSubstr("the key '" + key + "' is missing"));
    }
    EXPECT_EQ(sentence(std::string(kHead) + replaced(kLoad, "title = \"Load\"\n", "")),
              "mine.toml:8: the key 'title' is missing, expected a quoted string");
    EXPECT_THAT(sentence(kHead), HasSubstr("there is no event"));
}

TEST(ProfileFile, SelectorsAndNamesAreThereOnce) {
    EXPECT_EQ(sentence(std::string(kHead) + kLoad + replaced(kLoad, "\"load\"", "\"again\"")),
              "mine.toml:15: selector = 0x9 is there twice, expected one row an event");
    EXPECT_EQ(sentence(std::string(kHead) + kLoad + replaced(kLoad, "= 9", "= 10")),
              "mine.toml:16: name = 'load' is there twice, expected another name");
    EXPECT_THAT(sentence(std::string(kHead) + kLoad + "[[sbi]]\nevent = 3\nselector = 9\n" +
                         "[[sbi]]\nevent = 3\nselector = 9\n"),
                StartsWith("mine.toml:18: event = 0x3 is there twice"));
}

TEST(ProfileFile, AnUnknownSourceIsNamedWithThoseThereAre) {
    EXPECT_THAT(sentence(std::string(kHead) + replaced(kLoad, "integer-load", "loads")),
                AllOf(StartsWith("mine.toml:13: source = 'loads'"), HasSubstr("integer-load")));
}

TEST(ProfileFile, WidthAndCountersHaveTheirRange) {
    for (const char* width : {"31", "65", "0", "-1", "4.5", "\"wide\""}) {
        EXPECT_THAT(
            sentence(replaced(kHead, "width = 40", std::string("width = ") + width) + kLoad),
            AllOf(StartsWith("mine.toml:3: width"), HasSubstr("from 32 to 64")))
            << width;
    }
    EXPECT_THAT(sentence(replaced(kHead, "counters = 4", "counters = 30") + kLoad),
                AllOf(StartsWith("mine.toml:2: counters = 30"), HasSubstr("from 0 to 29")));
}

TEST(ProfileFile, SelectorsLieInsideTheirMaskAndTheMaskBelowTheFilters) {
    EXPECT_EQ(sentence(std::string(kHead) + replaced(kLoad, "= 9", "= 0x109")),
              "mine.toml:9: selector = 0x109 is outside selector_mask = 0xff, expected bits of the "
              "mask only");
    EXPECT_THAT(sentence(replaced(kHead, "0xFF", "\"0x8000000000000000\"") + kLoad),
                AllOf(StartsWith("mine.toml:5:"), HasSubstr("expected bits 55 to 0")));
    EXPECT_THAT(sentence(std::string(kHead) + replaced(kLoad, "= 9", "= 0")),
                AllOf(StartsWith("mine.toml:9:"), HasSubstr("means no event")));
    EXPECT_THAT(sentence(std::string(kHead) + kLoad + "[[raw]]\nselect = 3\nmask = 1\n"),
                AllOf(StartsWith("mine.toml:15:"), HasSubstr("never matches")));
    EXPECT_THAT(sentence(std::string(kHead) + kLoad + "[[sbi]]\nevent = 3\nselector = 8\n"),
                AllOf(StartsWith("mine.toml:16:"), HasSubstr("has no event")));
}

TEST(ProfileFile, WordsHaveTheirChoices) {
    EXPECT_THAT(sentence(replaced(kHead, "\"number\"", "\"mask\"") + kLoad),
                HasSubstr("expected one of number, class-mask"));
    EXPECT_THAT(sentence(std::string("registers = \"csr\"\n") + kHead + kLoad),
                HasSubstr("expected one of hpm, pcer, pcer-shared"));
    EXPECT_THAT(sentence(replaced(kHead, "true", "1") + kLoad), HasSubstr("true or false"));
    EXPECT_THAT(sentence(replaced(kHead, "\"mine\"", "\"My core\"") + kLoad),
                HasSubstr("lower-case letters"));
    EXPECT_THAT(sentence(replaced(kHead, "\"mine\"", "\"u74\"") + kLoad), HasSubstr("built in"));
}

TEST(ProfileFile, ThePcerUnitHasOneShape) {
    const std::string pcer = std::string("registers = \"pcer\"\n") + kHead + kLoad;
    EXPECT_THAT(sentence(pcer), HasSubstr("counters = 4 is not valid, expected 31"));
    const std::string shaped = replaced(replaced(pcer, "= 4\n", "= 31\n"), "= 40", "= 32");
    EXPECT_THAT(sentence(shaped), HasSubstr("belong to the registers 'hpm'"));
    const std::string plain = replaced(shaped, "sscofpmf = true", "sscofpmf = false");
    EXPECT_EQ(sentence(plain), "");
    EXPECT_THAT(sentence(replaced(plain, "= 9", "= 31")), HasSubstr("no bit of PCER"));
}

TEST(ProfileFile, SbiRowsAreGeneralOrCacheEvents) {
    const auto of_event = [](const std::string& event) {
        return sentence(std::string(kHead) + kLoad + "[[sbi]]\nevent = " + event +
                        "\nselector = 9\n");
    };
    for (const char* event : {"1", "10", "0x10000", "0x10001", "0x10035"}) {
        EXPECT_EQ(of_event(event), "") << event;
    }
    // Codes 0 and 11 do not exist; cache 7, operation 3 and type 15 neither.
    for (const char* event : {"0", "11", "0x1234", "0x10038", "0x10006", "0xF0000", "0x1FFFF"}) {
        EXPECT_THAT(of_event(event), AllOf(StartsWith("mine.toml:15: event = 0x"),
                                           HasSubstr("no general or cache event")))
            << event;
    }
}

TEST(ProfileFile, TextsAreOneLineOfAThousandBytes) {
    EXPECT_EQ(
        sentence(kHead + replaced(kLoad, "A load.", "a\\nb")),
        "mine.toml:12: meaning = 'a\\x0ab' has control characters, expected text in one line");
    EXPECT_THAT(sentence("\"a\\u001Bb\" = 3\n" + std::string(kHead) + kLoad),
                StartsWith("mine.toml:1: unknown key 'a\\x1bb', expected"));
    EXPECT_EQ(sentence(kHead + replaced(kLoad, "A load.", std::string(1000, 'a'))), "");
    EXPECT_EQ(sentence(kHead + replaced(kLoad, "A load.", std::string(1001, 'a'))),
              "mine.toml:12: meaning has 1001 characters, expected at most 1000");
}

TEST(ProfileFile, RowsAreNoMoreThanFirmwareReads) {
    std::string text = std::string(kHead) + kLoad;
    for (int row = 0; row < 255; ++row) {
        text += "[[raw]]\nselect = 0\nmask = 0\n";
    }
    EXPECT_EQ(sentence(text), "");
    EXPECT_THAT(sentence(text + "[[raw]]\nselect = 0\nmask = 0\n"),
                AllOf(StartsWith("mine.toml:14: there are 256"), HasSubstr("at most 255")));
}

TEST(ProfileFile, FilesOfMoreThanFourMebibytesAreNotRead) {
    const std::string text = std::string(kHead) + kLoad + "#";
    EXPECT_EQ(sentence(text + std::string((4U << 20) - text.size(), 'x')), "");
    EXPECT_THAT(sentence(text + std::string((4U << 20) - text.size() + 1, 'x')),
                AllOf(StartsWith("profile file '"),
                      HasSubstr("mine.toml' has 4194305 bytes, expected at most 4194304")));
}

TEST(ProfileFile, RawRowsHaveTheBitsOfEventData) {
    EXPECT_THAT(sentence(std::string(kHead) + kLoad +
                         "[[raw]]\nselect = 0x100000000000000\nmask = 0x100000000000000\n"),
                AllOf(StartsWith("mine.toml:15:"), HasSubstr("bits 55 to 0")));
}

TEST(ProfileFile, WhatIsNoTomlIsNamedWithItsLine) {
    EXPECT_THAT(sentence("name = \n"), StartsWith("mine.toml:1: not valid TOML: "));
    EXPECT_THAT(sentence("event = 3\n" + std::string(kHead)),
                HasSubstr("expected tables [[event]]"));
    EXPECT_THAT(user_error([] { const ProfileFile profile("/nowhere/at/all.toml"); }),
                HasSubstr("profile file '/nowhere/at/all.toml' cannot be read: No such file"));
}

TEST(Profiles, AreFoundByNameOrFile) {
    std::shared_ptr<const ProfileFile> keeper;
    EXPECT_EQ(&open_profile("u74", keeper), &kU74Profile);
    EXPECT_EQ(keeper, nullptr);
    EXPECT_STREQ(open_profile(PES_EXAMPLE_PROFILE, keeper).name, "example");
    EXPECT_NE(keeper, nullptr);
    EXPECT_EQ(user_error([&] { open_profile("u75", keeper); }),
              "there is no profile 'u75', expected one of cva6, u74, cv32e40p, cv32e40p-asic, "
              "cva6-pdis, or a profile file");
}

TEST(SourceNames, AreThoseOfTheCva6TableWhereItHasThem) {
    for (const EventRow& row : kCva6Profile) {
        EXPECT_STREQ(to_string(row.source), row.name);
    }
    EXPECT_STREQ(to_string(Event::ConditionalBranch), "conditional-branch");
    EXPECT_STREQ(to_string(Event::DataMissOrIo), "data-miss-or-io");
    EXPECT_STREQ(to_string(Event::ExternalStoreWait), "external-store-wait");
}

} // namespace
} // namespace pes
