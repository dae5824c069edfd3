// SPDX-License-Identifier: Apache-2.0
#include "platform/config/settings.h"

#include "hw/interface/pmu/profiles.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <type_traits>
#include <vector>

namespace pes {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

bool is_profile(const Setting& setting) {
    return setting.format == Format::Profile || setting.format == Format::ProfileFile;
}

bool takes_suffix(Format format) {
    return format == Format::Bytes || format == Format::Pages;
}

bool obeys_format(std::uint64_t value, Format format) {
    switch (format) {
    case Format::Hertz:
        return value != 0 && kPicosecondsPerSecond % value == 0;
    case Format::Power:
        return value == 0 || std::has_single_bit(value); // 0 only where the range has it
    case Format::Pages:
        return value % kPageBytes == 0;
    case Format::Location:
        return value % kPageBytes == 0 && value >> kPhysicalBits == 0;
    case Format::Switch:
    case Format::Count:
    case Format::Cycles:
    case Format::Bytes:
    case Format::Csr:
    case Format::Choice:
    case Format::Isa:
    case Format::Profile:
    case Format::ProfileFile:
        return true;
    }
    return true;
}

/// Takes KiB, MiB or GiB off; returns the bits by which the number before it is to be shifted.
unsigned remove_suffix(std::string_view& text) {
    for (const auto& [suffix, bits] : {std::pair{"KiB", 10U}, {"MiB", 20U}, {"GiB", 30U}}) {
        if (text.ends_with(suffix)) {
            text.remove_suffix(3);
            text = text.substr(0, text.find_last_not_of(' ') + 1);
            return bits;
        }
    }
    return 0;
}

std::string print_number(std::uint64_t value, Format format) {
    const bool hexadecimal = format == Format::Location || format == Format::Csr;
    if (!hexadecimal && !takes_suffix(format)) {
        return std::to_string(value);
    }
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llX", static_cast<unsigned long long>(value));
    return text.data();
}

/// A basic string of TOML.
std::string quote(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            quoted.append(1, '\\').append(1, letter);
        } else if (code < 0x20 || code == 0x7F) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04X", code);
            quoted += escape.data();
        } else {
            quoted += letter;
        }
    }
    return quoted + '"';
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
        }
    }
    return row.back();
}

/// The others are Format::Isa, Format::Profile and Format::ProfileFile.
template <typename Member>
constexpr bool kIsNumber = std::is_arithmetic_v<Member> || std::is_enum_v<Member>;

std::uint64_t load(const Slot& slot) {
    return std::visit(
        []<typename Member>(Member* value) -> std::uint64_t {
            if constexpr (kIsNumber<Member>) {
                return static_cast<std::uint64_t>(*value);
            } else {
                std::abort();
            }
        },
        slot);
}

void store(const Slot& slot, std::uint64_t number) {
    std::visit(
        [number]<typename Member>(Member* value) {
            if constexpr (kIsNumber<Member>) {
                *value = static_cast<Member>(number);
            } else {
                std::abort();
            }
        },
        slot);
}

/// A profile brings values of other settings along. No file after one was chosen: the default.
bool assign_profile(const Setting& setting, PlatformConfig& config, const std::string& text) {
    if (setting.format == Format::Profile) {
        const PmuProfile* profile = find_profile(text.c_str());
        if (profile != nullptr) {
            choose_profile(config, *profile);
        }
        return profile != nullptr;
    }
    if (!text.empty()) {
        auto file = std::make_shared<const ProfileFile>(text);
        const PmuProfile& profile = file->profile();
        choose_profile(config, profile, std::move(file));
    } else if (config.profile_file != nullptr) {
        choose_profile(config, kCva6Profile);
    }
    return true;
}

Isa& isa_of(const Setting& setting, PlatformConfig& config) {
    return *std::get<Isa*>(setting.slot(config, setting));
}

void assign_isa(const Setting& setting, PlatformConfig& config, std::string_view text,
                std::string_view origin) {
    const ParsedIsa parsed = parse_isa(text);
    if (!parsed.error.empty()) {
        throw UserError(
            fmt::format("{}: {} = {} is not valid: {}", origin, setting.key, text, parsed.error));
    }
    for (const std::string& note : parsed.notes) {
        spdlog::warn("{}: {}: {}", origin, setting.key, note);
    }
    isa_of(setting, config) = parsed.isa;
}

std::optional<std::uint64_t> parse(const Setting& setting, std::string_view text) {
    if (setting.format == Format::Choice) {
        const auto found = std::ranges::find(setting.choices, text);
        if (found == setting.choices.end()) {
            return std::nullopt;
        }
        return static_cast<std::uint64_t>(found - setting.choices.begin());
    }
    if (setting.format == Format::Switch) {
        if (text == "true" || text == "false") {
            return text == "true" ? 1 : 0;
        }
        return std::nullopt;
    }
    const std::optional<std::uint64_t> number = parse_number(text, setting.format);
    if (!number || *number < setting.minimum || *number > setting.maximum ||
        !obeys_format(*number, setting.format)) {
        return std::nullopt;
    }
    return number;
}

std::string_view kind_of(Format format) {
    switch (format) {
    case Format::Switch:
        return "true or false";
    case Format::Count:
        return "a whole number";
    case Format::Cycles:
        return "a number of cycles";
    case Format::Hertz:
        return "a divisor of 10^12";
    case Format::Power:
        return "a power of two";
    case Format::Bytes:
        return "a number of bytes";
    case Format::Pages:
        return "a multiple of 4096 bytes";
    case Format::Location:
        return "an address below 2^56 that is a multiple of 4096";
    case Format::Csr:
        return "a register number";
    case Format::Choice:
    case Format::Profile:
        return "one of";
    case Format::ProfileFile:
        return "the name of a file, or nothing";
    case Format::Isa:
        return "an ISA string";
    }
    return "";
}

} // namespace

std::optional<std::uint64_t> parse_number(std::string_view text, Format format) {
    const unsigned shift = takes_suffix(format) ? remove_suffix(text) : 0;
    const std::optional<std::uint64_t> value = parse_toml_integer(text);
    if (!value || *value << shift >> shift != *value) {
        return std::nullopt;
    }
    return *value << shift;
}

bool is_text(const Setting& setting, std::string_view value) {
    return setting.format == Format::Choice || setting.format == Format::Isa ||
           is_profile(setting) || (takes_suffix(setting.format) && remove_suffix(value) != 0);
}

const Setting* find_setting(std::string_view key) {
    const std::span<const Setting> all = settings();
    const auto found = std::ranges::find(all, key, &Setting::key);
    return found == all.end() ? nullptr : &*found;
}

std::string_view nearest_key(std::string_view key) {
    const std::span<const Setting> all = settings();
    const auto best = std::ranges::min_element(
        all, {}, [key](const Setting& setting) { return edit_distance(key, setting.key); });
    // Further away than a third of its letters, a key is not a slip of the finger.
    return edit_distance(key, best->key) <= best->key.size() / 3 ? best->key : std::string_view{};
}

void assign(const Setting& setting, PlatformConfig& config, std::string_view text,
            std::string_view origin) {
    const auto refuse = [&] {
        throw UserError(std::string(origin) + ": " + std::string(setting.key) + " = " +
                        std::string(text) + " is not valid, expected " + expectation(setting));
    };
    if (is_profile(setting)) {
        if (!assign_profile(setting, config, std::string(text))) {
            refuse();
        }
        return;
    }
    if (setting.format == Format::Isa) {
        assign_isa(setting, config, text, origin);
        return;
    }
    const std::optional<std::uint64_t> value = parse(setting, text);
    if (!value) {
        refuse();
    }
    store(setting.slot(config, setting), *value);
}

std::string print_value(const Setting& setting, const PlatformConfig& config) {
    if (setting.format == Format::Profile) {
        return std::string("\"").append(config.counters.profile->name).append("\"");
    }
    if (setting.format == Format::ProfileFile) {
        // The document may be written to another directory.
        return quote(config.profile_file != nullptr
                         ? std::filesystem::absolute(config.profile_file->path()).string()
                         : std::string());
    }
    PlatformConfig copy = config; // slots are mutable pointers
    if (setting.format == Format::Isa) {
        return quote(isa_string(isa_of(setting, copy)));
    }
    const std::uint64_t value = load(setting.slot(copy, setting));
    if (setting.format == Format::Switch) {
        return value != 0 ? "true" : "false";
    }
    if (setting.format == Format::Choice) {
        return std::string("\"").append(setting.choices[value]).append("\"");
    }
    return print_number(value, setting.format);
}

std::string expectation(const Setting& setting) {
    std::string text(kind_of(setting.format));
    if (setting.format == Format::Power && setting.minimum == 0) {
        return "0, or " + text + " up to " + print_number(setting.maximum, setting.format);
    }
    for (const std::string_view choice : setting.choices) {
        text.append(choice == setting.choices.front() ? " " : ", ").append(choice);
    }
    if (setting.format == Format::Profile) {
        return text + " " + profile_names();
    }
    if (setting.choices.empty() && setting.format != Format::Switch &&
        setting.format != Format::Location && setting.format != Format::Isa &&
        setting.format != Format::ProfileFile) {
        text += " from " + print_number(setting.minimum, setting.format) + " to " +
                print_number(setting.maximum, setting.format);
    }
    return text;
}

} // namespace pes
