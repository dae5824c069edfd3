// SPDX-License-Identifier: Apache-2.0
// What is written of a program's options. That shells and groff take it is tested with the
// packages.
#include "platform/manual/generate_option.h"
#include "platform/manual/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Manual : public testing::Test {
  protected:
    Manual() {
        run_.option_defaults()->group("Outputs");
        run_.add_option("FILE", text_, "A file")->required();
        run_.add_option("-o,--output", text_, "It's [out]: here")->type_name("FILE");
        run_.add_option("--in", text_, "A folder")->type_name("DIR");
        run_.add_option("--level", text_, ".level")
            ->type_name("LEVEL")
            ->check(CLI::IsMember({"low", "high"}));
        run_.add_option("--only", text_, "What")->type_name("NAME|all|none");
        run_.add_flag("--quiet", flag_, "Nothing");
        app_.add_subcommand("list", "List");
    }
    const OptionFacts& option(const std::string& name) const {
        for (const OptionFacts& option : facts_.commands[0].options) {
            if (!option.names.empty() && option.names.back() == name) {
                return option;
            }
        }
        throw std::out_of_range(name);
    }

    std::string text_;
    bool flag_ = false;
    CLI::App app_{"A program", "pro-gram"};
    CLI::App& run_ = *app_.add_subcommand("run", "Run it");
    ProgramFacts facts_;
};

TEST_F(Manual, FactsAreThoseOfTheOptions) {
    facts_ = facts_of(app_, "1.2");
    ASSERT_EQ(facts_.commands.size(), 2U);
    EXPECT_THAT(option("--output").names, ElementsAre("-o", "--output"));
    EXPECT_EQ(option("--output").kind, ValueKind::File);
    EXPECT_EQ(option("--in").kind, ValueKind::Directory);
    EXPECT_THAT(option("--level").choices, ElementsAre("low", "high"));
    EXPECT_THAT(option("--only").choices, ElementsAre("all", "none"));
    EXPECT_EQ(option("--quiet").kind, ValueKind::None);
    EXPECT_EQ(option("--quiet").value, "");
}

TEST_F(Manual, PageEscapesWhatRoffWouldTake) {
    const std::string page = man_page(facts_of(app_, "1.2"));
    EXPECT_THAT(page, HasSubstr(".TH PRO-GRAM 1 \"\" \"1.2\""));
    EXPECT_THAT(page, HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\n"));
    EXPECT_THAT(page, HasSubstr("\n\\&.level: low, high\n"));
    EXPECT_THAT(page, HasSubstr(".B pro\\-gram run\n[\\fIOPTION\\fR ...] \\fIFILE\\fR"));
    EXPECT_EQ(page.back(), '\n');
}

TEST_F(Manual, ShellsGetNamesAndWords) {
    const ProgramFacts facts = facts_of(app_, "1.2");
    const std::string bash = bash_completion(facts);
    EXPECT_THAT(bash, HasSubstr("run/-o | run/--output) mapfile -t COMPREPLY < <(compgen -f"));
    EXPECT_THAT(bash, HasSubstr("compgen -W 'all none'"));
    EXPECT_THAT(bash, Not(HasSubstr("run/--quiet")));
    EXPECT_THAT(bash, HasSubstr("complete -F _pro_gram pro-gram\n"));
    const std::string zsh = zsh_completion(facts);
    EXPECT_THAT(zsh, HasSubstr("'--output[It'\\''s \\[out\\]\\: here]:FILE:_files'"));
    EXPECT_THAT(zsh, HasSubstr("'--in[A folder]:DIR:_files -/'"));
    EXPECT_THAT(zsh, HasSubstr("'--level[.level]:LEVEL:(low high)'"));
}

TEST_F(Manual, ShellsGetWordsOfTables) {
    run_.add_option("--set", text_, "Change")->type_name("KEY=VALUE");
    run_.add_option("--groups", text_, "Which")->type_name("NAME,...");
    run_.add_option("--profile", text_, "Of what")->type_name("PROFILE");
    ProgramFacts facts = facts_of(app_, "1.2");
    add_words(facts, {{.option = "--set",
                       .value = "KEY=VALUE",
                       .words = {"a.path", "a.size"},
                       .key_words = {{"a.path", {"step", "fast"}}}},
                      {.option = "--groups", .value = "NAME,...", .words = {"x", "y"}},
                      {.option = "--profile", .value = "PROFILE", .words = {"u"}, .or_file = true},
                      {.option = "--profile", .value = "FILE", .words = {"other"}}});
    const std::string bash = bash_completion(facts);
    EXPECT_THAT(bash, HasSubstr("run/--set) _pro_gram_set; return"));
    EXPECT_THAT(bash, HasSubstr("-W 'a.path a.size'"));
    EXPECT_THAT(bash, HasSubstr("a.path) words='step fast' ;;"));
    EXPECT_THAT(bash, HasSubstr("compgen -W 'u' -- \"$cur\"; compgen -f"));
    EXPECT_THAT(bash, Not(HasSubstr("other")));
    const std::string zsh = zsh_completion(facts);
    EXPECT_THAT(zsh, HasSubstr("'--set[Change]:KEY=VALUE:_pro-gram_set'"));
    EXPECT_THAT(zsh, HasSubstr("a.path) compadd \"$@\" -- step fast ;;"));
    EXPECT_THAT(zsh, HasSubstr("'--groups[Which]:NAME,...:_values -s , words x y'"));
    EXPECT_THAT(zsh, HasSubstr("'--profile[Of what]:PROFILE:{compadd -- u; _files}'"));
}

TEST_F(Manual, IsPrintedInsteadOfARun) {
    add_generate_option(app_, "1.2");
    const char* const words[] = {"pro-gram", "--generate", "man"};
    EXPECT_THROW(app_.parse(3, words), CLI::Success);
    const char* const wrong[] = {"pro-gram", "--generate", "fish"};
    EXPECT_THROW(app_.parse(3, wrong), CLI::ParseError);
}

} // namespace
} // namespace pes
