// SPDX-License-Identifier: Apache-2.0
#include "platform/host/toml_file.h"

#include "platform/host/numbers.h"
#include "platform/host/regular_file.h"
#include "platform/host/user_error.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace pes {
namespace {

/// A file that people write is smaller; a larger one is refused before it is read.
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;

std::string list_of(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        text.append(text.empty() ? "" : ", ").append(word);
    }
    return text;
}

std::string range(std::uint64_t least, std::uint64_t most) {
    if (least == most) {
        return std::to_string(least);
    }
    return most >= TomlValue::kMostInteger
               ? "a whole number"
               : "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

} // namespace

/// Turns a document of the library into values of ours.
class TomlConverter {
  public:
    explicit TomlConverter(const std::string& file)
        : file_(std::make_shared<const std::string>(file)) {}

    TomlValue convert(std::string key, const toml::node& node) const {
        TomlValue value(file_, node.source().begin.line, std::move(key));
        node.visit([&](const auto& content) { store(value, content); });
        return value;
    }

  private:
    using Kind = TomlValue::Kind;

    void store(TomlValue& to, const toml::table& table) const {
        to.kind_ = Kind::Table;
        to.printed_ = "{...}";
        std::vector<TomlValue> items;
        for (const auto& [key, node] : table) {
            items.push_back(convert(std::string(key.str()), node));
        }
        to.items_ = std::make_shared<const std::vector<TomlValue>>(std::move(items));
    }

    void store(TomlValue& to, const toml::array& array) const {
        to.kind_ = Kind::List;
        to.printed_ = "[...]";
        std::vector<TomlValue> items;
        for (const toml::node& node : array) {
            items.push_back(convert(to.key_, node));
        }
        to.items_ = std::make_shared<const std::vector<TomlValue>>(std::move(items));
    }

    template <typename Content>
    void store(TomlValue& to, const toml::value<Content>& value) const {
        to.kind_ = Kind::Other; // a date or a time
        if constexpr (std::is_same_v<Content, std::string>) {
            to.kind_ = Kind::Text;
            to.text_ = value.get();
            to.printed_ = '"' + to.text_ + '"';
            return;
        } else if constexpr (std::is_same_v<Content, bool>) {
            to.kind_ = Kind::Flag;
            to.flag_ = value.get();
        } else if constexpr (std::is_same_v<Content, std::int64_t>) {
            to.kind_ = Kind::Integer;
            to.integer_ = value.get();
            to.real_ = static_cast<double>(value.get());
        } else if constexpr (std::is_same_v<Content, double>) {
            to.kind_ = Kind::Real;
            to.real_ = value.get();
        }
        std::ostringstream out;
        out << value;
        to.printed_ = out.str();
    }

    std::shared_ptr<const std::string> file_;
};

TomlValue TomlValue::read_file(const std::filesystem::path& file, std::string_view what) {
    const RegularFile source(file, what);
    if (source.size() > kMostBytes) {
        source.refuse("has " + std::to_string(source.size()) + " bytes, expected at most " +
                      std::to_string(kMostBytes));
    }
    const std::vector<std::byte> bytes = source.read();
    const std::string name = file.string();
    try {
        const toml::table document =
            toml::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
        return TomlConverter(name).convert({}, document);
    } catch (const toml::parse_error& problem) {
        throw UserError(name + ":" + std::to_string(problem.source().begin.line) +
                        ": not valid TOML: " + std::string(problem.description()));
    }
}

bool TomlValue::is_list_of_tables() const {
    return kind_ == Kind::List && !items_->empty() &&
           std::ranges::all_of(*items_, &TomlValue::is_table);
}

TomlValue TomlValue::operator[](std::string_view key) const {
    const std::vector<TomlValue>& items = items_of_table();
    const auto found = std::ranges::find(items, key, &TomlValue::key_);
    return found != items.end() ? *found : TomlValue(file_, line_, std::string(key));
}

const std::vector<TomlValue>& TomlValue::items_of_table() const {
    if (!is_table()) {
        refuse("a table");
    }
    return *items_;
}

std::vector<TomlValue> TomlValue::members() const {
    return items_of_table();
}

void TomlValue::allow(std::span<const std::string_view> keys) const {
    for (const TomlValue& member : items_of_table()) {
        if (std::ranges::find(keys, member.key_) == keys.end()) {
            member.fail("unknown key '" + member.key_ + "', expected one of " + list_of(keys));
        }
    }
}

bool TomlValue::flag() const {
    if (kind_ != Kind::Flag) {
        refuse("true or false");
    }
    return flag_;
}

std::uint64_t TomlValue::number(std::uint64_t least, std::uint64_t most) const {
    std::optional<std::uint64_t> value;
    if (kind_ == Kind::Integer && integer_ >= 0) {
        value = static_cast<std::uint64_t>(integer_);
    } else if (kind_ == Kind::Text && most > kMostInteger) {
        value = parse_toml_integer(text_);
    }
    if (!value || *value < least || *value > most) {
        refuse(range(least, most));
    }
    return *value;
}

std::uint64_t TomlValue::number() const {
    return number(0, std::numeric_limits<std::uint64_t>::max());
}

std::int64_t TomlValue::integer(std::string_view expected) const {
    if (kind_ != Kind::Integer) {
        refuse(expected);
    }
    return integer_;
}

double TomlValue::positive(std::string_view expected) const {
    const bool is_number = kind_ == Kind::Integer || kind_ == Kind::Real;
    if (!is_number || !std::isfinite(real_) || real_ <= 0) {
        refuse(expected);
    }
    return real_;
}

std::string TomlValue::text() const {
    if (kind_ != Kind::Text) {
        refuse("a quoted string");
    }
    return text_;
}

std::vector<std::string> TomlValue::texts() const {
    if (kind_ != Kind::List || !std::ranges::all_of(*items_, &TomlValue::is_text)) {
        refuse("a list of quoted strings");
    }
    std::vector<std::string> result;
    std::ranges::transform(*items_, std::back_inserter(result), &TomlValue::text_);
    return result;
}

std::vector<std::uint64_t> TomlValue::numbers(std::uint64_t least, std::uint64_t most) const {
    if (kind_ != Kind::List) {
        refuse("a list, each item " + range(least, most));
    }
    std::vector<std::uint64_t> result;
    for (const TomlValue& item : *items_) {
        result.push_back(item.number(least, most));
    }
    return result;
}

std::size_t TomlValue::choice(std::span<const std::string_view> words) const {
    const auto found = kind_ == Kind::Text ? std::ranges::find(words, text_) : words.end();
    if (found == words.end()) {
        refuse("one of " + list_of(words));
    }
    return static_cast<std::size_t>(found - words.begin());
}

std::vector<TomlValue> TomlValue::rows() const {
    const bool empty_list = kind_ == Kind::List && items_->empty();
    if (kind_ != Kind::Missing && !empty_list && !is_list_of_tables()) {
        refuse("tables [[" + key_ + "]]");
    }
    return *items_;
}

void TomlValue::fail(const std::string& sentence) const {
    throw UserError(place() + ": " + sentence);
}

void TomlValue::refuse(std::string_view expected) const {
    const std::string problem = kind_ == Kind::Missing ? "the key '" + key_ + "' is missing"
                                                       : key_ + " = " + printed_ + " is not valid";
    fail(problem + ", expected " + std::string(expected));
}

} // namespace pes
