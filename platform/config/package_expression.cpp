// SPDX-License-Identifier: Apache-2.0
#include "platform/config/package_expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace pes {
namespace {

using Kind = PackageToken::Kind;

/// Parentheses, signs and parameters of parameters: far more than people write, far less than the
/// stack holds.
constexpr unsigned kMostNesting = 300;

struct Operator {
    std::string_view sign;
    unsigned precedence; ///< larger binds more strongly
};
constexpr auto kOperators = std::to_array<Operator>({
    {"||", 1},  {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6}, {"!=", 6}, {"===", 6},
    {"!==", 6}, {"<", 7},  {"<=", 7}, {">", 7},  {">=", 7}, {"<<", 8}, {">>", 8}, {"<<<", 8},
    {">>>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
});

unsigned precedence_of(const PackageToken& word) {
    const auto* const found = std::ranges::find(kOperators, word.text, &Operator::sign);
    return word.kind == Kind::Symbol && found != kOperators.end() ? found->precedence : 0;
}

struct Type {
    std::string_view name;
    unsigned bits;
    bool is_signed;
};
constexpr auto kTypes = std::to_array<Type>({{"bit", 1, false},
                                             {"logic", 1, false},
                                             {"reg", 1, false},
                                             {"byte", 8, true},
                                             {"shortint", 16, true},
                                             {"int", 32, true},
                                             {"integer", 32, true},
                                             {"longint", 64, true}});

/// The lowest bits of a number.
std::int64_t cut(std::int64_t number, unsigned bits, bool is_signed) {
    if (bits >= 64) {
        return number;
    }
    const unsigned above = 64 - bits;
    const std::uint64_t upper = static_cast<std::uint64_t>(number) << above;
    return is_signed ? static_cast<std::int64_t>(upper) >> above
                     : static_cast<std::int64_t>(upper >> above);
}

} // namespace

void fail_unexpected(const std::filesystem::path& file, const PackageToken& got,
                     const std::string& expected) {
    const bool at_end = got.kind == Kind::End;
    fail_in_package(file, got.line,
                    "got " + (at_end ? got.text : "'" + got.text + "'") + ", expected " + expected);
}

struct PackageEvaluator::Nesting {
    Nesting(PackageEvaluator& evaluator, std::size_t line) : depth(evaluator.depth_) {
        if (depth >= kMostNesting) {
            evaluator.fail(line, evaluator.owner_ + " is nested too deeply, expected at most " +
                                     std::to_string(kMostNesting) +
                                     " parentheses, signs and parameters in each other");
        }
        ++depth;
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --depth; }

    unsigned& depth;
};

PackageValue PackageEvaluator::value(std::span<const PackageToken> words,
                                     const std::string& owner) {
    words_ = words;
    owner_ = owner;
    end_ = {.kind = Kind::End, .text = "the end of " + owner, .line = words.back().line};
    PackageValue result = choice();
    if (!words_.empty()) {
        fail_here("an operator or the end of " + owner);
    }
    return result;
}

const PackageToken& PackageEvaluator::next() const {
    return words_.empty() ? end_ : words_.front();
}

bool PackageEvaluator::take(std::string_view symbol) {
    if (!next().is(symbol)) {
        return false;
    }
    words_ = words_.subspan(1);
    return true;
}

void PackageEvaluator::expect(std::string_view symbol) {
    if (!take(symbol)) {
        fail_here("'" + std::string(symbol) + "' in the value of " + owner_);
    }
}

void PackageEvaluator::fail(std::size_t line, const std::string& sentence) const {
    fail_in_package(file_.path_, line, sentence);
}

void PackageEvaluator::fail_here(const std::string& expected) const {
    fail_unexpected(file_.path_, next(), expected);
}

std::int64_t PackageEvaluator::number(const PackageValue& value, std::size_t line) const {
    if (value.is_name()) {
        fail(line, "got " + value.name + " in the value of " + owner_ + ", expected a number");
    }
    return value.number;
}

PackageValue PackageEvaluator::choice() {
    const std::size_t line = next().line;
    const Nesting nesting(*this, line);
    PackageValue condition = binary(1);
    if (!take("?")) {
        return condition;
    }
    const bool first = number(condition, line) != 0;
    const bool live = live_;
    live_ = live && first;
    PackageValue yes = choice();
    expect(":");
    live_ = live && !first;
    PackageValue no = choice();
    live_ = live;
    return first ? yes : no;
}

PackageValue PackageEvaluator::binary(unsigned precedence) {
    PackageValue left = unary();
    while (true) {
        const PackageToken& sign = next();
        const unsigned strength = precedence_of(sign);
        if (strength < precedence || strength == 0) {
            return left;
        }
        words_ = words_.subspan(1);
        left = right_side(left, sign, strength);
    }
}

/// Of && and || only as much as decides.
PackageValue PackageEvaluator::right_side(const PackageValue& left, const PackageToken& sign,
                                          unsigned precedence) {
    const bool live = live_;
    const bool decided = (sign.is("&&") && number(left, sign.line) == 0) ||
                         (sign.is("||") && number(left, sign.line) != 0);
    live_ = live && !decided;
    const PackageValue right = binary(precedence + 1);
    live_ = live;
    if (decided) {
        return {.number = sign.is("||") ? 1 : 0};
    }
    return live ? apply(sign, left, right) : PackageValue{};
}

PackageValue PackageEvaluator::apply(const PackageToken& sign, const PackageValue& left,
                                     const PackageValue& right) const {
    const bool equality = sign.text.ends_with("==") || sign.text.starts_with("!=");
    if (equality && left.is_name() && right.is_name()) {
        const bool same = left.name == right.name;
        return {.number = same == (sign.text.front() == '=') ? 1 : 0};
    }
    return {.number = calculate(sign, number(left, sign.line), number(right, sign.line))};
}

std::int64_t PackageEvaluator::calculate(const PackageToken& sign, std::int64_t left,
                                         std::int64_t right) const {
    std::int64_t result = 0;
    bool overflow = false;
    const std::string& text = sign.text;
    if (text == "+") {
        overflow = __builtin_add_overflow(left, right, &result);
    } else if (text == "-") {
        overflow = __builtin_sub_overflow(left, right, &result);
    } else if (text == "*") {
        overflow = __builtin_mul_overflow(left, right, &result);
    } else if (text == "/" || text == "%") {
        if (right == 0) {
            fail(sign.line, "division by zero in the value of " + owner_ + ", expected a divisor");
        }
        overflow = right == -1 && __builtin_sub_overflow(std::int64_t{0}, left, &result);
        if (right != -1) {
            result = text == "/" ? left / right : left % right;
        } else if (text == "%") {
            result = 0;
        }
    } else if (text.starts_with("<<") || text.starts_with(">>")) {
        return shift(sign, left, right);
    } else if (text == "&" || text == "|" || text == "^") {
        result = text == "&" ? left & right : text == "|" ? left | right : left ^ right;
    } else if (text == "&&" || text == "||") {
        result = text == "&&" ? left != 0 && right != 0 : left != 0 || right != 0;
    } else if (text.ends_with("==") || text.starts_with("!=")) {
        result = (left == right) == (text.front() == '=') ? 1 : 0;
    } else {
        const bool less = text.front() == '<' ? left < right : right < left;
        result = less || (text.size() == 2 && left == right) ? 1 : 0;
    }
    if (overflow) {
        fail(sign.line,
             "the value of " + owner_ + " does not fit in 64 bits, expected one that does");
    }
    return result;
}

std::int64_t PackageEvaluator::shift(const PackageToken& sign, std::int64_t left,
                                     std::int64_t right) const {
    if (right < 0) {
        fail(sign.line, "a shift by " + std::to_string(right) + " in the value of " + owner_ +
                            ", expected a number from 0 on");
    }
    if (sign.text.front() == '>') {
        return left >> std::min<std::int64_t>(right, 63);
    }
    const std::int64_t shifted =
        right < 63 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(left) << right) : 0;
    if (left != 0 && (right >= 63 || shifted >> right != left)) { // a bit is lost
        fail(sign.line,
             "the value of " + owner_ + " does not fit in 64 bits, expected one that does");
    }
    return shifted;
}

PackageValue PackageEvaluator::unary() {
    const PackageToken& sign = next();
    const Nesting nesting(*this, sign.line);
    if (take("+")) {
        return {.number = number(unary(), sign.line)};
    }
    if (take("-")) {
        const PackageToken minus{.kind = Kind::Symbol, .text = "-", .line = sign.line};
        return {.number = calculate(minus, 0, number(unary(), sign.line))};
    }
    if (take("!")) {
        return {.number = number(unary(), sign.line) == 0 ? 1 : 0};
    }
    if (take("~")) {
        return {.number = ~number(unary(), sign.line)};
    }
    return primary();
}

PackageValue PackageEvaluator::primary() {
    const PackageToken& first = next();
    if (first.kind == Kind::Word) {
        return word();
    }
    if (first.is("{") || first.is("'{")) {
        return list();
    }
    PackageValue value;
    if (take("(")) {
        value = choice();
        expect(")");
    } else if (first.kind == Kind::Number) {
        words_ = words_.subspan(1);
        if (!first.number && live_) {
            fail(first.line, "got " + first.text + " in the value of " + owner_ +
                                 ", expected a number that fits in its width and in 63 bits");
        }
        value.number = first.number.value_or(0);
    } else {
        fail_here("a value for " + owner_);
    }
    return take("'(") ? sized(value, first.line) : value;
}

/// A name, perhaps of a package, or a type in front of a cast.
PackageValue PackageEvaluator::word() {
    const std::size_t line = next().line;
    std::string name = next().text;
    words_ = words_.subspan(1);
    std::string package;
    while (take("::")) {
        if (next().kind != Kind::Word) {
            fail_here("a name behind '::'");
        }
        package = std::exchange(name, next().text);
        words_ = words_.subspan(1);
    }
    const bool foreign = !package.empty() && package != file_.name_;
    if (take("'(")) {
        return cast(foreign ? std::string() : name, line);
    }
    if (name == "$clog2") {
        return logarithm(line);
    }
    return foreign ? PackageValue{.name = name} : parameter(name, line);
}

/// {a, b}, {n{a}} or '{a, b}. Zero everywhere is 0; the items of other lists are not kept.
PackageValue PackageEvaluator::list() {
    const Nesting nesting(*this, next().line);
    words_ = words_.subspan(1);
    PackageValue all;
    do {
        const PackageValue item = choice();
        if (next().is("{")) { // the item was how often
            all = list();
        } else if (item.is_name() || item.number != 0) {
            all.name = PackageValue::kList;
        }
    } while (take(","));
    expect("}");
    return all;
}

PackageValue PackageEvaluator::logarithm(std::size_t line) {
    expect("(");
    const std::int64_t of = number(choice(), line);
    expect(")");
    if (of < 0) {
        fail(line, "$clog2 of " + std::to_string(of) + ", expected a number from 0 on");
    }
    const auto most = static_cast<std::uint64_t>(of) - 1;
    return {.number = of < 2 ? 0 : static_cast<std::int64_t>(std::bit_width(most))};
}

PackageValue PackageEvaluator::parameter(const std::string& name, std::size_t line) {
    if (!live_) {
        return {};
    }
    const auto found = file_.parameters_.find(name);
    if (found == file_.parameters_.end() || found->second.is_structure) {
        fail(line, "got '" + name + "', expected a value or a parameter of package '" +
                       file_.name_ + "'");
    }
    PackageFile::Parameter& parameter = found->second;
    if (parameter.open) {
        fail(parameter.line,
             "the value of '" + name + "' needs itself, expected one that does not");
    }
    if (!parameter.value) {
        const Nesting nesting(*this, line);
        parameter.open = true;
        PackageEvaluator inner(file_);
        inner.depth_ = depth_;
        parameter.value = inner.value(parameter.words, "'" + name + "'");
        parameter.open = false;
    }
    return *parameter.value;
}

/// Behind "type'(". A type of another package is an enumeration: it changes no name.
PackageValue PackageEvaluator::cast(const std::string& type, std::size_t line) {
    const bool sign_only = type == "unsigned" || type == "signed";
    const auto* const known = std::ranges::find(kTypes, type, &Type::name);
    if (!type.empty() && !sign_only && known == kTypes.end()) {
        return sized(parameter(type, line), line);
    }
    PackageValue value = choice();
    expect(")");
    if (type.empty() || value.is_list()) {
        return value;
    }
    const std::int64_t before = number(value, line);
    if (type == "unsigned") { // numbers without a size have 32 bits
        return {.number = before < 0 ? cut(before, 32, false) : before};
    }
    return {.number = sign_only ? before : cut(before, known->bits, known->is_signed)};
}

/// Behind "size'(".
PackageValue PackageEvaluator::sized(const PackageValue& size, std::size_t line) {
    const std::int64_t bits = number(size, line);
    if (live_ && bits <= 0) {
        fail(line, "a cast to " + std::to_string(bits) + " bits, expected at least one");
    }
    PackageValue value = choice();
    expect(")");
    if (value.is_list()) {
        return value;
    }
    const std::int64_t before = number(value, line);
    return {.number = bits < 64 ? cut(before,
                                      static_cast<unsigned>(std::max<std::int64_t>(bits, 1)), false)
                                : before};
}

} // namespace pes
