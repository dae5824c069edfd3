// SPDX-License-Identifier: Apache-2.0
#include "platform/settings.h"

#include "platform/user_error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

namespace pes {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

/// member<&PlatformConfig::hart, &HartConfig::id>(config) is config.hart.id.
template <auto... Path>
Slot member(PlatformConfig& config) {
    return &(config.*....*Path);
}

constexpr auto kHart = &PlatformConfig::hart;
constexpr auto kMap = &PlatformConfig::map;
constexpr auto kBase = &MemoryRange::base;
constexpr auto kSize = &MemoryRange::size;

// Rows of one table stay together: show_config prints a heading where the prefix changes.
constexpr auto kSettings = std::to_array<Setting>({
    {"clock_hz", member<&PlatformConfig::clock_hz>, Format::Hertz, "hart clock in Hz", 1'000,
     10'000'000'000},
    {"quantum", member<&PlatformConfig::quantum>, Format::Cycles,
     "cycles the hart may run ahead of the SystemC kernel", 1, 1'000'000'000},

    {"hart.id", member<kHart, &HartConfig::id>, Format::Count, "mhartid", 0, 0},
    {"hart.time_csr", member<kHart, &HartConfig::time_csr>, Format::Switch,
     "the time CSR exists; false: it traps, as on the CVA6 core"},
    {"hart.misaligned_access", member<kHart, &HartConfig::misaligned_access>, Format::Switch,
     "misaligned loads and stores work; false: they trap"},
    {"hart.pmp_entries", member<kHart, &HartConfig::pmp_entries>, Format::Count,
     "physical memory protection entries", 0, 16},
    {"hart.itlb_entries", member<kHart, &HartConfig::itlb_entries>, Format::Power,
     "entries of the instruction TLB", 2, 64},
    {"hart.dtlb_entries", member<kHart, &HartConfig::dtlb_entries>, Format::Power,
     "entries of the data TLB", 2, 64},

    {"dram.base", member<kHart, &HartConfig::memory, kBase>, Format::Address,
     "first byte of main memory"},
    {"dram.size", member<kHart, &HartConfig::memory, kSize>, Format::Pages,
     "size of main memory in bytes", kPage, std::uint64_t{64} << 30},

    {"clint.base", member<kMap, &DeviceMap::clint, kBase>, Format::Address,
     "first byte of the CLINT"},
    {"clint.size", member<kMap, &DeviceMap::clint, kSize>, Format::Pages, "bytes of address space",
     0xC000, 0x100'0000},

    {"plic.base", member<kMap, &DeviceMap::plic, kBase>, Format::Address, "first byte of the PLIC"},
    {"plic.size", member<kMap, &DeviceMap::plic, kSize>, Format::Pages, "bytes of address space",
     0x20'2000, 0x1000'0000},

    {"uart.base", member<kMap, &DeviceMap::uart, kBase>, Format::Address, "first byte of the UART"},
    {"uart.size", member<kMap, &DeviceMap::uart, kSize>, Format::Pages, "bytes of address space",
     kPage, 0x100'0000},

    {"finisher.base", member<kMap, &DeviceMap::finisher, kBase>, Format::Address,
     "first byte of the test finisher"},
    {"finisher.size", member<kMap, &DeviceMap::finisher, kSize>, Format::Pages,
     "bytes of address space", kPage, 0x100'0000},

    {"htif.enabled", member<&PlatformConfig::htif, &HtifConfig::enabled>, Format::Switch,
     "tohost and fromhost talk to the host; false: they are plain memory"},
});

bool takes_suffix(Format format) {
    return format == Format::Bytes || format == Format::Pages;
}

/// Decimal or 0x hexadecimal with optional underscores and, for sizes, KiB, MiB or GiB.
std::optional<std::uint64_t> parse_number(std::string_view text, Format format) {
    unsigned shift = 0;
    if (takes_suffix(format)) {
        for (auto [suffix, bits] : {std::pair{"KiB", 10U}, {"MiB", 20U}, {"GiB", 30U}}) {
            if (text.ends_with(suffix)) {
                shift = bits;
                text.remove_suffix(3);
                text = text.substr(0, text.find_last_not_of(' ') + 1);
                break;
            }
        }
    }
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::string digits(text);
    std::erase(digits, '_');
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    auto [rest, error] = std::from_chars(digits.data(), end, value, base);
    if (error != std::errc{} || rest != end || digits.empty() || value << shift >> shift != value) {
        return std::nullopt;
    }
    return value << shift;
}

bool obeys_format(std::uint64_t value, Format format) {
    switch (format) {
    case Format::Hertz:
        return value != 0 && kPicosecondsPerSecond % value == 0;
    case Format::Power:
        return std::has_single_bit(value);
    case Format::Pages:
    case Format::Address:
        return value % kPage == 0;
    case Format::Switch:
    case Format::Count:
    case Format::Cycles:
    case Format::Bytes:
        return true;
    }
    return true;
}

std::string print_number(std::uint64_t value, Format format) {
    if (format != Format::Address && !takes_suffix(format)) {
        return std::to_string(value);
    }
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llX", static_cast<unsigned long long>(value));
    return text.data();
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

std::uint64_t load(const Slot& slot) {
    return std::visit([](auto* value) { return static_cast<std::uint64_t>(*value); }, slot);
}

void store(const Slot& slot, std::uint64_t number) {
    std::visit(
        [number](auto* value) {
            *value = static_cast<std::remove_pointer_t<decltype(value)>>(number);
        },
        slot);
}

std::optional<std::uint64_t> parse(const Setting& setting, std::string_view text) {
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
    case Format::Address:
        return "an address that is a multiple of 4096";
    }
    return "";
}

} // namespace

std::span<const Setting> settings() {
    return kSettings;
}

const Setting* find_setting(std::string_view key) {
    const auto* found = std::ranges::find(kSettings, key, &Setting::key);
    return found == kSettings.end() ? nullptr : found;
}

std::string_view nearest_key(std::string_view key) {
    const auto* best = std::ranges::min_element(
        kSettings, {}, [key](const Setting& setting) { return edit_distance(key, setting.key); });
    return best->key;
}

void assign(const Setting& setting, PlatformConfig& config, std::string_view text,
            std::string_view origin) {
    const std::optional<std::uint64_t> value = parse(setting, text);
    if (!value) {
        throw UserError(std::string(origin) + ": " + std::string(setting.key) + " = " +
                        std::string(text) + " is not valid, expected " + expectation(setting));
    }
    store(setting.slot(config), *value);
}

std::string print_value(const Setting& setting, const PlatformConfig& config) {
    PlatformConfig copy = config; // slots are mutable pointers
    const std::uint64_t value = load(setting.slot(copy));
    if (setting.format == Format::Switch) {
        return value != 0 ? "true" : "false";
    }
    return print_number(value, setting.format);
}

std::string expectation(const Setting& setting) {
    std::string text(kind_of(setting.format));
    if (setting.format != Format::Switch && setting.format != Format::Address) {
        text += " from " + print_number(setting.minimum, setting.format) + " to " +
                print_number(setting.maximum, setting.format);
    }
    return text;
}

} // namespace pes
