// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace pes {
namespace {

bool starts_name(char letter) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0;
}
bool in_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '_';
}

std::size_t name_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && in_name(text[length])) {
        ++length;
    }
    return length;
}

/// By recursive descent; a value that is not known makes the whole unknown.
class Evaluation {
  public:
    Evaluation(std::string_view formula, const EventCount& count)
        : formula_(formula), rest_(formula), count_(count) {}

    std::optional<double> value() {
        const std::optional<double> result = sum();
        require(rest_.empty());
        return result;
    }

  private:
    using Value = std::optional<double>;

    Value sum() {
        Value left = product();
        for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
            rest_.remove_prefix(1);
            const Value right = product();
            left = left && right ? Value(sign == '+' ? *left + *right : *left - *right) : Value();
        }
        return left;
    }

    Value product() {
        Value left = operand();
        for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
            rest_.remove_prefix(1);
            const Value right = operand();
            const bool known = left && right && (sign == '*' || *right != 0);
            left = known ? Value(sign == '*' ? *left * *right : *left / *right) : Value();
        }
        return left;
    }

    Value operand() {
        const char first = next();
        if (first == '(') {
            rest_.remove_prefix(1);
            const Value inner = sum();
            require(next() == ')');
            rest_.remove_prefix(1);
            return inner;
        }
        if (starts_name(first)) {
            const std::size_t length = name_length(rest_);
            const Value count = count_(rest_.substr(0, length));
            rest_.remove_prefix(length);
            return count;
        }
        double number = 0;
        const auto [end, error] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        require(error == std::errc());
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return number;
    }

    /// Behind blanks; 0 at the end.
    char next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
        return rest_.empty() ? '\0' : rest_.front();
    }

    void require(bool holds) const {
        if (!holds) {
            std::fprintf(stderr, "formula '%s' cannot be read\n", std::string(formula_).c_str());
            std::abort();
        }
    }

    std::string_view formula_;
    std::string_view rest_;
    const EventCount& count_;
};

} // namespace

std::optional<double> evaluate(std::string_view formula, const EventCount& count) {
    return Evaluation(formula, count).value();
}

std::string with_events(std::string_view formula,
                        const std::function<std::string(std::string_view)>& rename) {
    std::string text;
    while (!formula.empty()) {
        const std::size_t length = starts_name(formula.front()) ? name_length(formula) : 1;
        const std::string_view part = formula.substr(0, length);
        text += starts_name(formula.front()) ? rename(part) : std::string(part);
        formula.remove_prefix(length);
    }
    return text;
}

std::vector<std::string> events_in(std::string_view formula) {
    std::vector<std::string> names;
    with_events(formula, [&names](std::string_view name) {
        if (std::ranges::find(names, name) == names.end()) {
            names.emplace_back(name);
        }
        return std::string();
    });
    return names;
}

} // namespace pes
