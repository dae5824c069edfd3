// SPDX-License-Identifier: Apache-2.0
// Every mistake in a TOML file has one sentence, of one shape.
#include "platform/host/toml_file.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <functional>
#include <sys/stat.h>

namespace pes {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::string_view kWords[] = {"one", "two"};

class TomlFile : public ::testing::Test {
  protected:
    TomlValue read(const std::string& text) const {
        return TomlValue::read_file(directory_.write("x.toml", text), "test file");
    }

    /// Without the directory.
    template <typename Action>
    std::string sentence(const std::string& text, Action action) const {
        const std::string said = user_error([&] { action(read(text)); });
        const std::string place = directory_.path().string() + "/";
        return said.starts_with(place) ? said.substr(place.size()) : said;
    }

    TemporaryDirectory directory_;
};

TEST_F(TomlFile, ValuesAreReadAsTheyAreWritten) {
    const TomlValue root = read(
        "flag = true\ntext = \"a\"\nsize = 0x10\nhuge = \"0xFFFF_FFFF_FFFF_FFFF\"\n"
        "rate = 1.5\nwhole = 2\nlist = ['b', 'c']\nnumbers = [7, 8]\nword = 'two'\nminus = -3\n"
        "[[row]]\nname = 1\n[[row]]\nname = 2\n[table]\nkey = 3\n");
    EXPECT_TRUE(root["flag"].flag());
    EXPECT_EQ(root["text"].text(), "a");
    EXPECT_EQ(root["size"].number(0, 16), 16U);
    EXPECT_EQ(root["huge"].number(), ~std::uint64_t{0});
    EXPECT_EQ(root["rate"].positive("a rate"), 1.5);
    EXPECT_EQ(root["whole"].positive("a rate"), 2);
    EXPECT_THAT(root["list"].texts(), ElementsAre("b", "c"));
    EXPECT_THAT(root["numbers"].numbers(1, 9), ElementsAre(7, 8));
    EXPECT_EQ(root["word"].choice(kWords), 1U);
    EXPECT_EQ(root["minus"].integer("an integer"), -3);
    ASSERT_EQ(root["row"].rows().size(), 2U);
    EXPECT_EQ(root["row"].rows()[1]["name"].number(), 2U);
    EXPECT_EQ(root["table"]["key"].number(), 3U);
    EXPECT_FALSE(root["absent"]);
    EXPECT_TRUE(root["absent"].rows().empty());
    EXPECT_THAT(root["table"].place(), EndsWith("x.toml:15"));
}

struct TomlMistake {
    const char* text;
    std::function<void(const TomlValue& root)> use;
    const char* sentence;
};

TEST_F(TomlFile, EveryMistakeNamesFileLineKeyValueAndExpectation) {
    const auto number = [](const TomlValue& root) { root["k"].number(1, 64); };
    const auto flag = [](const TomlValue& root) { root["k"].flag(); };
    const auto text = [](const TomlValue& root) { root["k"].text(); };
    const auto texts = [](const TomlValue& root) { root["k"].texts(); };
    const auto numbers = [](const TomlValue& root) { root["k"].numbers(1, 9); };
    const auto choice = [](const TomlValue& root) { root["k"].choice(kWords); };
    const auto rate = [](const TomlValue& root) { root["k"].positive("a rate"); };
    const auto rows = [](const TomlValue& root) { root["k"].rows(); };
    const auto members = [](const TomlValue& root) { root["k"].members(); };
    const auto allow = [](const TomlValue& root) { root.allow(kWords); };
    const TomlMistake mistakes[] = {
        {"\nk = 0", number, "x.toml:2: k = 0 is not valid, expected a whole number from 1 to 64"},
        {"k = 65", number, "x.toml:1: k = 65 is not valid, expected a whole number from 1 to 64"},
        {"k = -1", number, "x.toml:1: k = -1 is not valid, expected a whole number from 1 to 64"},
        {"k = 1.5", number, "x.toml:1: k = 1.5 is not valid, expected a whole number from 1 to 64"},
        {"k = '8'", number,
         "x.toml:1: k = \"8\" is not valid, expected a whole number from 1 to 64"},
        {"", number, "x.toml:1: the key 'k' is missing, expected a whole number from 1 to 64"},
        {"k = '18446744073709551616'", [](const TomlValue& root) { root["k"].number(); },
         "x.toml:1: k = \"18446744073709551616\" is not valid, expected a whole number"},
        {"k = 1", flag, "x.toml:1: k = 1 is not valid, expected true or false"},
        {"k = 1", text, "x.toml:1: k = 1 is not valid, expected a quoted string"},
        {"k = [1, 10]", numbers,
         "x.toml:1: k = 10 is not valid, expected a whole number from 1 to 9"},
        {"k = 1", numbers,
         "x.toml:1: k = 1 is not valid, expected a list, each item a whole number from 1 to 9"},
        {"k = ['a', 1]", texts,
         "x.toml:1: k = [...] is not valid, expected a list of quoted strings"},
        {"k = 'a'", texts, "x.toml:1: k = \"a\" is not valid, expected a list of quoted strings"},
        {"k = 'three'", choice, "x.toml:1: k = \"three\" is not valid, expected one of one, two"},
        {"k = 1", choice, "x.toml:1: k = 1 is not valid, expected one of one, two"},
        {"k = 0", rate, "x.toml:1: k = 0 is not valid, expected a rate"},
        {"k = inf", rate, "x.toml:1: k = inf is not valid, expected a rate"},
        {"k = 1", rows, "x.toml:1: k = 1 is not valid, expected tables [[k]]"},
        {"k = [1]", rows, "x.toml:1: k = [...] is not valid, expected tables [[k]]"},
        {"k = 1979-05-27", members, "x.toml:1: k = 1979-05-27 is not valid, expected a table"},
        {"one = 1\nthree = 3", allow, "x.toml:2: unknown key 'three', expected one of one, two"},
        {"k = \"a\\nb\"", flag, "x.toml:1: k = \"a\\x0ab\" is not valid, expected true or false"},
    };
    for (const TomlMistake& mistake : mistakes) {
        EXPECT_EQ(sentence(mistake.text, mistake.use), mistake.sentence);
    }
    EXPECT_THAT(sentence("a = 1\nb = \n", flag),
                ::testing::StartsWith("x.toml:2: not valid TOML: "));
}

TEST_F(TomlFile, AFileThatCannotBeReadIsNamed) {
    const auto refused = [&](const std::filesystem::path& file) {
        return user_error([&] { TomlValue::read_file(file, "test file"); });
    };
    EXPECT_THAT(refused(directory_ / "absent.toml"),
                HasSubstr("/absent.toml' cannot be read: No such file or directory"));
    EXPECT_EQ(refused(directory_.path()), "test file '" + directory_.path().string() +
                                              "' is a directory, expected a regular file");
    ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(refused(directory_ / "pipe"),
                HasSubstr("is a pipe or a device, expected a regular file"));
    EXPECT_THAT(refused(directory_.write("large.toml", std::string((4U << 20) + 1, '#'))),
                EndsWith("large.toml' has 4194305 bytes, expected at most 4194304"));
}

} // namespace
} // namespace pes
