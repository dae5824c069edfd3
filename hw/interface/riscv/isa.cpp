// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/riscv/isa.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace pes {

namespace {

using enum IsaExtension;

struct ExtensionName {
    std::string_view name;
    IsaSet extensions; ///< and what they require; none: always there
};

constexpr IsaSet kDouble{F, D};
constexpr IsaSet kBits{Zba, Zbb, Zbs};
constexpr IsaSet kCryptography{Zbkb, Zbkc, Zbkx, Zknd, Zkne, Zknh};
constexpr IsaSet kGeneral{M, A, F, D};

/// The order is that of ISA strings: letters, then by the category that the second letter names.
constexpr std::array kNames{
    ExtensionName{"m", M},       ExtensionName{"a", A},         ExtensionName{"f", F},
    ExtensionName{"d", kDouble}, ExtensionName{"c", C},         ExtensionName{"zicond", Zicond},
    ExtensionName{"zicsr", {}},  ExtensionName{"zifencei", {}}, ExtensionName{"zcb", {C, Zcb}},
    ExtensionName{"zba", Zba},   ExtensionName{"zbb", Zbb},     ExtensionName{"zbc", Zbc},
    ExtensionName{"zbkb", Zbkb}, ExtensionName{"zbkc", Zbkc},   ExtensionName{"zbkx", Zbkx},
    ExtensionName{"zbs", Zbs},   ExtensionName{"zknd", Zknd},   ExtensionName{"zkne", Zkne},
    ExtensionName{"zknh", Zknh},
};

/// Names of several at once, which are not printed.
constexpr std::array kGroups{
    ExtensionName{"i", {}},
    ExtensionName{"g", kGeneral},
    ExtensionName{"b", kBits},
    ExtensionName{"zkn", kCryptography},
};

/// What other settings decide.
struct Elsewhere {
    std::string_view name, setting;
};
constexpr std::array kElsewhere{
    Elsewhere{"zicntr", "hart.time_csr and the counter profile decide"},
    Elsewhere{"zihpm", "the counter profile decides"},
};

const ExtensionName* find(std::string_view name) {
    const auto in = [name](const auto& table) -> const ExtensionName* {
        const auto found = std::ranges::find(table, name, &ExtensionName::name);
        return found == table.end() ? nullptr : &*found;
    };
    const ExtensionName* const one = in(kNames);
    return one != nullptr ? one : in(kGroups);
}

/// The extensions that a row of kNames prints are those of its own name, which is the last.
bool is_printed(const ExtensionName& row, IsaSet present) {
    return present.has_all(row.extensions);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Reads names off the front of a text in lower case.
class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    bool take(std::string_view prefix) {
        if (!rest_.starts_with(prefix)) {
            return false;
        }
        rest_.remove_prefix(prefix.size());
        return true;
    }
    bool at_end() const { return rest_.empty(); }
    char next() const { return rest_.front(); }
    /// A single letter, or a name up to the next underscore.
    std::string_view name() {
        const std::size_t length = std::string_view("zsx").find(next()) == std::string_view::npos
                                       ? 1
                                       : std::min(rest_.find('_'), rest_.size());
        return take_front(length);
    }
    /// "2p1" or "2" behind a letter.
    std::string_view version() {
        std::size_t end = digits(0);
        if (end != 0 && end + 1 < rest_.size() && rest_[end] == 'p' && is_digit(rest_[end + 1])) {
            end = digits(end + 1);
        }
        return take_front(end);
    }

  private:
    std::size_t digits(std::size_t from) const {
        while (from < rest_.size() && is_digit(rest_[from])) {
            ++from;
        }
        return from;
    }
    std::string_view take_front(std::size_t length) {
        const std::string_view front = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return front;
    }
    std::string_view rest_;
};

/// Takes "1p0" or "1" off the end of a long name that is not known as it is.
std::string_view take_version(std::string_view& name) {
    const auto digits_end = [](std::string_view text) {
        return text.find_last_not_of("0123456789") + 1;
    };
    std::size_t begin = digits_end(name);
    if (begin == name.size() || begin == 0) {
        return {};
    }
    if (name[begin - 1] == 'p' && begin >= 2 && is_digit(name[begin - 2])) {
        begin = digits_end(name.substr(0, begin - 1));
    }
    const std::string_view version = name.substr(begin);
    name.remove_suffix(version.size());
    return version;
}

std::string in_quotes(std::string_view name) {
    std::string text(1, '\'');
    return text.append(name).append(1, '\'');
}

/// Adds an extension, or says why not.
void add(ParsedIsa& parsed, std::string_view name, std::string_view version) {
    if (!version.empty()) {
        parsed.notes.push_back(std::string("version ")
                                   .append(version)
                                   .append(" of ")
                                   .append(in_quotes(name))
                                   .append(" is ignored"));
    }
    if (const ExtensionName* const row = find(name)) {
        parsed.isa.extensions |= row->extensions;
        return;
    }
    const auto elsewhere = std::ranges::find(kElsewhere, name, &Elsewhere::name);
    if (elsewhere != kElsewhere.end()) {
        parsed.notes.push_back(in_quotes(name).append(" is ignored: ").append(elsewhere->setting));
        return;
    }
    const bool privileged = name.starts_with("s");
    parsed.error = in_quotes(name).append(
        privileged ? " is no unprivileged extension, settings extensions.* have those"
                   : " is no extension of the model");
}

std::string supported() {
    std::string text;
    for (const ExtensionName& row : kNames) {
        text.append(text.empty() ? "" : ", ").append(row.name);
    }
    return text;
}

void read_extensions(ParsedIsa& parsed, Reader& reader) {
    bool behind_underscore = false;
    while (!reader.at_end() && parsed.error.empty()) {
        if (reader.take("_")) {
            parsed.error = behind_underscore ? "two underscores without a name between them" : "";
            behind_underscore = true;
            continue;
        }
        behind_underscore = false;
        std::string_view name = reader.name();
        std::string_view version;
        if (name.size() == 1) {
            version = reader.version();
        } else if (find(name) == nullptr) {
            version = take_version(name);
        }
        add(parsed, name, version);
    }
    if (parsed.error.empty() && behind_underscore) {
        parsed.error = "an underscore without a name behind it";
    }
}

} // namespace

std::uint32_t misa_letters(const Isa& isa) {
    const auto letter = [](char name) { return std::uint32_t{1} << (name - 'a'); };
    std::uint32_t letters = letter('i');
    for (const ExtensionName& row : kNames) {
        if (row.name.size() == 1 && is_printed(row, isa.extensions)) {
            letters |= letter(row.name.front());
        }
    }
    return letters | (isa.extensions.has_all(kBits) ? letter('b') : 0);
}

std::vector<std::string_view> extension_names(const Isa& isa) {
    std::vector<std::string_view> names;
    for (const ExtensionName& row : kNames) {
        if (is_printed(row, isa.extensions)) {
            names.push_back(row.name);
        }
    }
    return names;
}

std::string isa_string(const Isa& isa) {
    std::string text = std::string("rv").append(std::to_string(isa.xlen)).append("i");
    for (const std::string_view name : extension_names(isa)) {
        text.append(name.size() > 1 ? "_" : "").append(name);
    }
    return text;
}

ParsedIsa parse_isa(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    ParsedIsa parsed;
    Reader reader(lower);
    const bool wide = reader.take("rv64");
    if (!wide) {
        const bool other = reader.take("rv32") || reader.take("rv128");
        parsed.error = other ? "the model has 64 bits" : "it does not begin with rv64";
    } else if (reader.at_end() || (reader.next() != 'i' && reader.next() != 'g')) {
        parsed.error = "the base 'i' is missing behind rv64";
    } else {
        read_extensions(parsed, reader);
    }
    if (parsed.error.empty() && !parsed.isa.has(C)) {
        parsed.error = "'c' cannot be left out";
    }
    if (!parsed.error.empty()) {
        parsed.error.append("; known are ").append(supported());
    }
    return parsed;
}

} // namespace pes
