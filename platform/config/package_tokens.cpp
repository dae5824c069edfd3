// SPDX-License-Identifier: Apache-2.0
#include "platform/config/package_tokens.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pes {
namespace {

using Kind = PackageToken::Kind;

/// Longer ones first: the first that fits is taken.
constexpr auto kSymbols = std::to_array<std::string_view>(
    {"<<<", ">>>", "===", "!==", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::",
     "'(",  "'{",  "(",   ")",   "[",  "]",  "{",  "}",  "?",  ":",  ";",  ",",  "=",
     ".",   "+",   "-",   "*",   "/",  "%",  "<",  ">",  "!",  "~",  "&",  "|",  "^"});

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool begins_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

bool continues_word(char c) {
    return begins_word(c) || is_digit(c);
}

bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Digits with underscores between them.
std::optional<std::uint64_t> digits_value(std::string_view digits, int base) {
    std::string plain(digits);
    std::erase(plain, '_');
    return parse_digits(plain, base);
}

int base_of(char letter) {
    switch (letter | 0x20) { // in lower case
    case 'b':
        return 2;
    case 'o':
        return 8;
    case 'd':
        return 10;
    case 'h':
        return 16;
    default:
        return 0;
    }
}

class Scanner {
  public:
    Scanner(const std::filesystem::path& file, std::string_view text) : file_(file), text_(text) {}

    std::vector<PackageToken> tokens() {
        std::vector<PackageToken> all;
        while (skip_blanks(), at_ < text_.size()) {
            all.push_back(next());
        }
        all.push_back({.kind = Kind::End, .text = "the end of the file", .line = line_});
        return all;
    }

  private:
    [[noreturn]] void fail(std::size_t line, const std::string& sentence) const {
        fail_in_package(file_, line, sentence);
    }

    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void skip_to(std::size_t end) {
        const std::string_view skipped = text_.substr(at_, end - at_);
        line_ += static_cast<std::size_t>(std::ranges::count(skipped, '\n'));
        at_ = end;
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (is_blank(peek())) {
                skip_to(at_ + 1);
            } else if (sees("//")) {
                skip_to(std::min(text_.find('\n', at_), text_.size()));
            } else if (sees("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) {
                    fail(line_, "the comment that begins here does not end, expected */");
                }
                skip_to(end + 2);
            } else {
                return;
            }
        }
    }

    PackageToken token(Kind kind, std::size_t length) {
        PackageToken made{
            .kind = kind, .text = std::string(text_.substr(at_, length)), .line = line_};
        skip_to(at_ + length);
        return made;
    }

    PackageToken next() {
        const char first = peek();
        if (begins_word(first)) {
            return token(Kind::Word, length_while(0, continues_word));
        }
        if (is_digit(first) || is_literal_mark(0)) {
            return number();
        }
        if (first == '"') {
            return text();
        }
        for (const std::string_view symbol : kSymbols) {
            if (sees(symbol)) {
                return token(Kind::Symbol, symbol.size());
            }
        }
        if (first == '`') {
            fail(line_, "got a compiler directive, expected a package without them");
        }
        fail(line_, "got '" + std::string(1, first) + "', expected a word of a package");
    }

    template <typename Letter>
    std::size_t length_while(std::size_t from, Letter letter) const {
        std::size_t length = from;
        while (letter(peek(length))) {
            ++length;
        }
        return length;
    }

    PackageToken text() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
            end += text_[end] == '\\' ? 2 : 1;
        }
        if (end >= text_.size() || text_[end] != '"') {
            fail(line_, "the text that begins here does not end, expected \"");
        }
        return token(Kind::Text, end + 1 - at_);
    }

    /// "'h", "'sd", "'0": what makes a number of what is before and behind it.
    bool is_literal_mark(std::size_t at) const {
        if (peek(at) != '\'') {
            return false;
        }
        const char letter = peek(at + 1);
        return letter == '0' || letter == '1' || base_of(letter) != 0 ||
               ((letter | 0x20) == 's' && base_of(peek(at + 2)) != 0);
    }

    static bool is_digit_or_gap(char c) { return is_digit(c) || c == '_'; }

    PackageToken number() {
        const std::size_t size = length_while(0, is_digit_or_gap);
        if (!is_literal_mark(size)) {
            const std::optional<std::uint64_t> value = digits_value(text_.substr(at_, size), 10);
            return number(size, value);
        }
        std::size_t begin = size + 1;
        if (base_of(peek(begin)) == 0 && (peek(begin) | 0x20) != 's') { // '0 and '1 fill all bits
            const std::int64_t filled = peek(begin) == '1' ? -1 : 0;
            PackageToken made = token(Kind::Number, begin + 1);
            made.number = filled;
            return made;
        }
        begin += (peek(begin) | 0x20) == 's' ? 1 : 0;
        const int base = base_of(peek(begin));
        begin = length_while(begin + 1, is_blank);
        const std::size_t end =
            length_while(begin, [](char c) { return continues_word(c) || c == '?'; });
        std::optional<std::uint64_t> value =
            digits_value(text_.substr(at_ + begin, end - begin), base);
        if (size != 0) {
            const std::uint64_t bits = digits_value(text_.substr(at_, size), 10).value_or(0);
            if (bits == 0 || (value && bits < 64 && *value >> bits != 0)) {
                value.reset();
            }
        }
        return number(end, value);
    }

    PackageToken number(std::size_t length, std::optional<std::uint64_t> value) {
        PackageToken made = token(Kind::Number, length);
        if (value && *value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
            made.number = static_cast<std::int64_t>(*value);
        }
        return made;
    }

    const std::filesystem::path& file_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

} // namespace

void fail_in_package(const std::filesystem::path& file, std::size_t line,
                     const std::string& sentence) {
    throw UserError(file.string() + ":" + std::to_string(line) + ": " + sentence);
}

std::vector<PackageToken> package_tokens(const std::filesystem::path& file, std::string_view text) {
    return Scanner(file, text).tokens();
}

} // namespace pes
