// SPDX-License-Identifier: Apache-2.0
#include "platform/config/package_reader.h"

#include "platform/config/package_expression.h"
#include "platform/host/regular_file.h"

#include <algorithm>
#include <span>

namespace pes {
namespace {

using Kind = PackageToken::Kind;

/// A file that people write is smaller; a larger one is refused before it is read.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

std::string read_text(const std::filesystem::path& path) {
    const RegularFile file(path, "core package");
    if (file.size() > kMostBytes) {
        file.refuse("has " + std::to_string(file.size()) + " bytes, expected at most " +
                    std::to_string(kMostBytes));
    }
    const std::vector<std::byte> bytes = file.read();
    std::string text(bytes.size(), '\0');
    std::ranges::transform(bytes, text.begin(), [](std::byte b) { return static_cast<char>(b); });
    return text;
}

/// The bracket that ends what `word` begins; empty: it begins nothing.
std::string_view closing(const PackageToken& word) {
    if (word.is("(") || word.is("'(")) {
        return ")";
    }
    if (word.is("{") || word.is("'{")) {
        return "}";
    }
    return word.is("[") ? "]" : "";
}

bool closes(const PackageToken& word) {
    return word.is(")") || word.is("}") || word.is("]");
}

} // namespace

/// Finds the parameters of a package and the members of the structure; evaluates nothing.
class PackageParser {
  public:
    PackageParser(PackageFile& file, std::string_view structure)
        : file_(file), structure_(structure), words_(file.tokens_) {}

    void parse() {
        expect("package", "a package");
        file_.name_ = word("the name of the package");
        expect(";", "';' behind the name of the package");
        while (!next().is("endpackage")) {
            item();
        }
        ++at_;
        if (next().is(":")) {
            ++at_;
            word("the name of the package");
        }
        if (next().kind != Kind::End) {
            fail(next(), "nothing behind endpackage");
        }
        members();
    }

  private:
    const PackageToken& next() const { return words_[at_]; }

    [[noreturn]] void fail(const PackageToken& got, const std::string& expected) const {
        fail_unexpected(file_.path_, got, expected);
    }

    void expect(std::string_view symbol, const std::string& expected) {
        if (!next().is(symbol)) {
            fail(next(), expected);
        }
        ++at_;
    }

    std::string word(const std::string& expected) {
        if (next().kind != Kind::Word) {
            fail(next(), expected);
        }
        return words_[at_++].text;
    }

    void item() {
        if (next().is("import")) {
            while (!next().is(";") && next().kind != Kind::End) {
                ++at_;
            }
            expect(";", "';' behind the import");
            return;
        }
        if (!next().is("localparam") && !next().is("parameter")) {
            fail(next(), "localparam, parameter, import or endpackage");
        }
        do {
            ++at_;
            parameter();
        } while (next().is(","));
        expect(";", "';' behind the value of a parameter");
    }

    /// Behind the keyword or a comma: type and name, '=', value.
    void parameter() {
        PackageFile::Parameter made{.line = next().line};
        std::string name;
        for (; !next().is("="); ++at_) {
            if (next().kind == Kind::End || next().is(";") || next().is(",")) {
                fail(next(), name.empty() ? "the name of a parameter"
                                          : "'=' and the value of '" + name + "'");
            }
            if (next().is("[")) {
                skip_brackets("the type of a parameter");
            } else if (next().kind == Kind::Word) {
                made.is_structure = made.is_structure || name == structure_;
                made.line = next().line;
                name = next().text;
            } else if (!next().is("::")) {
                fail(next(), "the type and the name of a parameter");
            }
        }
        if (name.empty()) {
            fail(next(), "the name of a parameter");
        }
        ++at_;
        made.words = value_words("the value of '" + name + "'");
        const auto [found, is_new] = file_.parameters_.emplace(name, made);
        if (!is_new) {
            fail_in_package(file_.path_, made.line,
                            "parameter '" + name + "' is in line " +
                                std::to_string(found->second.line) + " already, expected it once");
        }
    }

    /// From an opening bracket to the one that closes it, where `at_` is then.
    void skip_brackets(const std::string& inside) {
        std::vector<std::string_view> open;
        do {
            if (next().kind == Kind::End) {
                fail(next(), "'" + std::string(open.back()) + "' in " + inside);
            }
            if (const std::string_view end = closing(next()); !end.empty()) {
                open.push_back(end);
            } else if (closes(next())) {
                if (!next().is(open.back())) {
                    fail(next(), "'" + std::string(open.back()) + "' in " + inside);
                }
                open.pop_back();
            }
            ++at_;
        } while (!open.empty());
        --at_;
    }

    /// Up to a comma or semicolon outside of brackets, or to the bracket around all of it.
    std::span<const PackageToken> value_words(const std::string& what) {
        const std::size_t begin = at_;
        while (!next().is(",") && !next().is(";") && !closes(next())) {
            if (next().kind == Kind::End) {
                fail(next(), "';' behind " + what);
            }
            if (!closing(next()).empty()) {
                skip_brackets(what);
            }
            ++at_;
        }
        if (at_ == begin) {
            fail(next(), what);
        }
        return words_.subspan(begin, at_ - begin);
    }

    void members() {
        const auto is_structure = [](const auto& entry) { return entry.second.is_structure; };
        const auto found = std::ranges::find_if(file_.parameters_, is_structure);
        if (found == file_.parameters_.end()) {
            fail_in_package(file_.path_, words_.front().line,
                            "package '" + file_.name_ + "' has no parameter of the type " +
                                std::string(structure_) + ", expected one");
        }
        if (std::ranges::count_if(file_.parameters_, is_structure) != 1) {
            fail_in_package(file_.path_, words_.front().line,
                            "package '" + file_.name_ + "' has several parameters of the type " +
                                std::string(structure_) + ", expected one");
        }
        at_ = static_cast<std::size_t>(found->second.words.data() - words_.data());
        const std::size_t end = at_ + found->second.words.size();
        expect("'{", "'{ and the members of '" + found->first + "'");
        while (true) {
            member();
            if (!next().is(",")) {
                break;
            }
            ++at_;
        }
        expect("}", "',' or '}' behind the value of '" + file_.members_.back().name + "'");
        if (at_ != end) {
            fail(next(), "';' behind the value of '" + found->first + "'");
        }
    }

    void member() {
        PackageFile::Member made{.name = next().text, .line = next().line, .words = {}};
        word("the name of a member");
        if (made.name == "default") {
            fail_in_package(file_.path_, made.line,
                            "'default' does not say which members there are, expected each of "
                            "them by name");
        }
        expect(":", "':' and the value of '" + made.name + "'");
        const auto same = std::ranges::find(file_.members_, made.name, &PackageFile::Member::name);
        if (same != file_.members_.end()) {
            fail_in_package(file_.path_, made.line,
                            "'" + made.name + "' is in line " + std::to_string(same->line) +
                                " already, expected it once");
        }
        made.words = value_words("the value of '" + made.name + "'");
        file_.members_.push_back(std::move(made));
    }

    PackageFile& file_;
    std::string_view structure_;
    std::span<const PackageToken> words_;
    std::size_t at_ = 0;
};

PackageFile::PackageFile(const std::filesystem::path& file, std::string_view structure)
    : path_(file), tokens_(package_tokens(path_, read_text(file))) {
    PackageParser(*this, structure).parse();
}

PackageValue PackageFile::value(const Member& member) {
    return PackageEvaluator(*this).value(member.words, "'" + member.name + "'");
}

} // namespace pes
