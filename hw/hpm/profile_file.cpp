// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/profile_file.h"

#include "hw/common/host/user_error.h"
#include "hw/common/pulse_sources.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/pcer_csr.h"
#include "hw/hpm/profiles.h"

#include <toml++/toml.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

namespace pes {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostNumber = std::numeric_limits<std::uint64_t>::max();
/// Bits 63:56 of mhpmevent are Sscofpmf's: OF, the filters, and two reserved ones.
constexpr std::uint64_t kSelectorBits = (std::uint64_t{1} << 56) - 1;

constexpr std::size_t kMostText = 1000; ///< of one value, in bytes
/// A file that is none of ours is refused before it is read: more than rows and texts can fill.
constexpr std::uintmax_t kMostFile = std::uintmax_t{4} << 20;

constexpr std::string_view kSelectorKinds[] = {"number", "class-mask"};
constexpr std::string_view kRegisterSets[] = {"hpm", "pcer", "pcer-shared"};

std::string hexadecimal(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string list_of(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        text.append(text.empty() ? "" : ", ").append(word);
    }
    return text;
}

std::optional<Event> find_source(std::string_view name) {
    const auto* const found = std::ranges::find(kPulseSources, name, &PulseSource::name);
    return found == std::end(kPulseSources)
               ? std::nullopt
               : std::optional(static_cast<Event>(found - std::begin(kPulseSources)));
}

std::string source_names() {
    std::string text;
    for (const PulseSource& source : kPulseSources) {
        text.append(text.empty() ? "" : ", ").append(source.name);
    }
    return text;
}

/// SBI 3.0, general and cache events: codes 1 to 10; caches 0 to 6, operations 0 to 2, results 0
/// and 1.
bool is_sbi_event(std::uint64_t event) {
    constexpr std::uint64_t kCache = 0x1'0000;
    constexpr std::uint64_t kMostGeneral = 10;
    constexpr std::uint64_t kMostCacheCode = 6 << 3 | 2 << 1 | 1;
    constexpr std::uint64_t kOperation = 3 << 1; // all ones is none
    if (event < kCache) {
        return event >= 1 && event <= kMostGeneral;
    }
    return event - kCache <= kMostCacheCode && (event & kOperation) != kOperation;
}

/// TOML's integers end at 2^63: a larger number is a text.
std::optional<std::uint64_t> parse_text(std::string_view text) {
    const bool is_hexadecimal = text.starts_with("0x");
    text.remove_prefix(is_hexadecimal ? 2 : 0);
    std::string digits(text);
    std::erase(digits, '_');
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, is_hexadecimal ? 16 : 10);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

/// One table of the document; every mistake names the file and the line.
class Table {
  public:
    Table(const std::string& file, const toml::table& table) : file_(file), table_(table) {}

    [[noreturn]] void fail(std::string_view key, const std::string& sentence) const {
        const toml::node* node = table_.get(key);
        throw UserError(file_ + ":" +
                        std::to_string((node != nullptr ? *node : table_).source().begin.line) +
                        ": " + sentence);
    }

    void allow(std::span<const std::string_view> keys) const {
        for (const auto& [key, node] : table_) {
            if (std::ranges::find(keys, key.str()) == keys.end()) {
                fail(key.str(), "unknown key '" + std::string(key.str()) + "', expected one of " +
                                    list_of(keys));
            }
        }
    }

    std::string text(std::string_view key) const {
        const auto value = need(key).value_exact<std::string>();
        if (!value || value->empty()) {
            fail(key, std::string(key) + " is no text, expected one in quotes");
        }
        if (value->size() > kMostText) {
            fail(key, std::string(key) + " has " + std::to_string(value->size()) +
                          " characters, expected at most " + std::to_string(kMostText));
        }
        if (in_one_line(*value) != *value) { // it goes into reports and into the device tree
            fail(key, std::string(key) + " = '" + *value +
                          "' has control characters, expected text in one line");
        }
        return *value;
    }

    /// Lower-case letters, digits and hyphens: it goes into CSV, waveforms and command lines.
    std::string identifier(std::string_view key) const {
        std::string value = text(key);
        if (value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
            fail(key, std::string(key) + " = '" + value +
                          "' is no name, expected lower-case letters, digits and hyphens");
        }
        return value;
    }

    std::uint64_t number(std::string_view key, std::uint64_t least = 0,
                         std::uint64_t most = kMostNumber) const {
        const toml::node& node = need(key);
        std::optional<std::uint64_t> value;
        if (const auto integer = node.value_exact<std::int64_t>(); integer && *integer >= 0) {
            value = static_cast<std::uint64_t>(*integer);
        } else if (const auto text = node.value_exact<std::string>()) {
            value = parse_text(*text);
        }
        if (!value || *value < least || *value > most) {
            fail(key, std::string(key) + (value ? " = " + std::to_string(*value) : "") +
                          " is not valid, expected " + range(least, most));
        }
        return *value;
    }

    bool truth(std::string_view key) const {
        const auto value = need(key).value_exact<bool>();
        if (!value) {
            fail(key, std::string(key) + " is not valid, expected true or false");
        }
        return *value;
    }

    /// The index of one of these words.
    std::size_t choice(std::string_view key, std::span<const std::string_view> words) const {
        const std::string value = text(key);
        const auto found = std::ranges::find(words, value);
        if (found == words.end()) {
            fail(key, std::string(key) + " = '" + value + "' is not valid, expected one of " +
                          list_of(words));
        }
        return static_cast<std::size_t>(found - words.begin());
    }

    bool has(std::string_view key) const { return table_.contains(key); }

    /// The tables of an array [[key]]; none without the key.
    std::vector<Table> rows(std::string_view key) const {
        std::vector<Table> result;
        if (!has(key)) {
            return result;
        }
        const toml::array* array = table_.get(key)->as_array();
        if (array == nullptr || !(array->empty() || array->is_homogeneous<toml::table>())) {
            fail(key,
                 std::string(key) + " is not valid, expected tables [[" + std::string(key) + "]]");
        }
        if (array->size() > kMostPmuRows) {
            fail(key, "there are " + std::to_string(array->size()) + " tables [[" +
                          std::string(key) + "]], expected at most " +
                          std::to_string(kMostPmuRows) + ", the rows that a device tree has");
        }
        for (const toml::node& row : *array) {
            result.emplace_back(file_, *row.as_table());
        }
        return result;
    }

  private:
    const toml::node& need(std::string_view key) const {
        const toml::node* node = table_.get(key);
        if (node == nullptr) {
            fail(key, "the key '" + std::string(key) + "' is missing");
        }
        return *node;
    }

    static std::string range(std::uint64_t least, std::uint64_t most) {
        if (least == most) {
            return std::to_string(least);
        }
        return most == kMostNumber
                   ? "a whole number"
                   : "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    }

    const std::string& file_;
    const toml::table& table_;
};

} // namespace

/// Fills a ProfileFile from its document.
class ProfileReader {
  public:
    ProfileReader(ProfileFile& to, const std::string& file, const toml::table& document)
        : to_(to), profile_(to.profile_), root_(file, document) {}

    void read() {
        read_shape();
        read_events();
        read_sbi_events();
        read_raw_events();
    }

  private:
    void read_shape() {
        static constexpr std::string_view kKeys[] = {
            "name",          "cpu",      "counters",  "width",     "selector",
            "selector_mask", "sscofpmf", "smcntrpmf", "registers", "write_freezes",
            "event",         "sbi",      "raw"};
        root_.allow(kKeys);
        profile_.name = keep(root_.identifier("name"));
        if (find_profile(profile_.name) != nullptr) {
            root_.fail("name", std::string("name = '") + profile_.name +
                                   "' is a profile that is built in, expected another name");
        }
        profile_.cpu = root_.has("cpu") ? keep(root_.text("cpu")) : nullptr;
        profile_.selector_kind =
            static_cast<SelectorKind>(root_.choice("selector", kSelectorKinds));
        profile_.selector_mask = root_.number("selector_mask");
        if ((profile_.selector_mask & ~kSelectorBits) != 0) {
            root_.fail("selector_mask", "selector_mask = " + hexadecimal(profile_.selector_mask) +
                                            " is not valid, expected bits 55 to 0 only: those "
                                            "above are of Sscofpmf");
        }
        profile_.sscofpmf = root_.truth("sscofpmf");
        profile_.smcntrpmf = root_.truth("smcntrpmf");
        profile_.registers =
            root_.has("registers")
                ? static_cast<RegisterSet>(root_.choice("registers", kRegisterSets))
                : RegisterSet::Hpm;
        profile_.write_freezes = !root_.has("write_freezes") || root_.truth("write_freezes");
        read_counters();
    }

    /// The PCER unit (CV32E40P) has one shape.
    void read_counters() {
        const bool hpm = profile_.registers == RegisterSet::Hpm;
        const auto number = [this](std::string_view key, unsigned least, unsigned most) {
            return static_cast<unsigned>(root_.number(key, least, most));
        };
        profile_.programmable =
            number("counters", hpm ? 0 : kPcerCounters, hpm ? kMaxProgrammable : kPcerCounters);
        profile_.width = number("width", hpm ? kMinCounterWidth : kPcerWidth,
                                hpm ? kMaxCounterWidth : kPcerWidth);
        if (hpm) {
            return;
        }
        if (profile_.sscofpmf || profile_.smcntrpmf) {
            root_.fail("registers", "sscofpmf and smcntrpmf belong to the registers 'hpm', "
                                    "expected false for both");
        }
        if (profile_.selector_kind != SelectorKind::Number) {
            root_.fail("selector", "selector = 'class-mask' belongs to the registers 'hpm', "
                                   "expected 'number', a bit of PCER");
        }
    }

    void read_events() {
        static constexpr std::string_view kKeys[] = {"selector", "name", "title", "meaning",
                                                     "source"};
        std::vector<EventRow>& events = to_.events_;
        for (const Table& row : root_.rows("event")) {
            row.allow(kKeys);
            const std::string source = row.text("source");
            const std::optional<Event> event = find_source(source);
            if (!event) {
                row.fail("source", "source = '" + source +
                                       "' is no event of the hart, expected one of " +
                                       source_names());
            }
            const EventRow read{.selector = selector(row),
                                .name = keep(row.identifier("name")),
                                .title = keep(row.text("title")),
                                .source = *event,
                                .own_meaning = keep(row.text("meaning"))};
            check_event(row, read);
            events.push_back(read);
            profile_.events = events.data();
            profile_.event_count = events.size();
        }
        if (events.empty()) {
            root_.fail("event", "there is no event, expected at least one table [[event]]");
        }
    }

    void check_event(const Table& row, const EventRow& read) const {
        if (find_selector(profile_, read.selector) != nullptr) {
            row.fail("selector", "selector = " + hexadecimal(read.selector) +
                                     " is there twice, expected one row an event");
        }
        if (find_event(profile_, read.name) != nullptr) {
            row.fail("name", std::string("name = '") + read.name +
                                 "' is there twice, expected another name");
        }
        if (profile_.registers != RegisterSet::Hpm) { // a bit of PCER
            if (read.selector >= kPcerCounters) {
                row.fail("selector", "selector = " + std::to_string(read.selector) +
                                         " is no bit of PCER, expected 0 to " +
                                         std::to_string(kPcerCounters - 1));
            }
            return;
        }
        if (read.selector == 0 && read.source != Event::None) {
            row.fail("selector", "selector = 0 means no event, expected the source 'none'");
        }
        if (profile_.selector_kind == SelectorKind::ClassMask && read.selector != 0 &&
            !std::has_single_bit(read.selector & ~kSelectorClass)) {
            row.fail("selector", "selector = " + hexadecimal(read.selector) +
                                     " is not valid, expected a class in bits 7 to 0 and one bit "
                                     "above them");
        }
    }

    void read_sbi_events() {
        static constexpr std::string_view kKeys[] = {"event", "selector"};
        for (const Table& row : root_.rows("sbi")) {
            row.allow(kKeys);
            const std::uint64_t number = row.number("event");
            if (!is_sbi_event(number)) {
                row.fail("event", "event = " + hexadecimal(number) +
                                      " is no general or cache event of the SBI, expected 0x1 to "
                                      "0xa, or 0x10000 and a code of the SBI's cache events");
            }
            const auto event = static_cast<std::uint32_t>(number);
            const std::uint64_t wanted = selector(row);
            if (std::ranges::find(to_.sbi_events_, event, &SbiEventRow::event) !=
                to_.sbi_events_.end()) {
                row.fail("event", "event = " + hexadecimal(event) +
                                      " is there twice, expected one selector an event");
            }
            if (!selects_events(wanted)) {
                row.fail("selector", "selector = " + hexadecimal(wanted) +
                                         " has no event, expected one of the tables [[event]]");
            }
            to_.sbi_events_.push_back({event, wanted});
        }
        std::ranges::sort(to_.sbi_events_, {}, &SbiEventRow::event);
        profile_.sbi_events = to_.sbi_events_.data();
        profile_.sbi_event_count = to_.sbi_events_.size();
    }

    void read_raw_events() {
        static constexpr std::string_view kKeys[] = {"select", "mask"};
        for (const Table& row : root_.rows("raw")) {
            row.allow(kKeys);
            const RawEventRow read{row.number("select"), row.number("mask")};
            if ((read.select & ~read.mask) != 0) {
                row.fail("select", "select = " + hexadecimal(read.select) +
                                       " never matches under mask = " + hexadecimal(read.mask) +
                                       ", expected bits of the mask only");
            }
            if ((read.select & ~kSelectorBits) != 0) {
                row.fail("select", "select = " + hexadecimal(read.select) +
                                       " never matches: event_data has bits 55 to 0, expected "
                                       "these only");
            }
            to_.raw_events_.push_back(read);
        }
        profile_.raw_events = to_.raw_events_.empty() ? nullptr : to_.raw_events_.data();
        profile_.raw_event_count = to_.raw_events_.size();
    }

    std::uint64_t selector(const Table& row) const {
        const std::uint64_t value = row.number("selector");
        if ((value & ~profile_.selector_mask) != 0) {
            row.fail("selector",
                     "selector = " + hexadecimal(value) + " is outside selector_mask = " +
                         hexadecimal(profile_.selector_mask) + ", expected bits of the mask only");
        }
        return value;
    }

    /// Every bit of the selector chooses an event of the table that counts.
    bool selects_events(std::uint64_t selector) const {
        std::uint64_t chosen = 0;
        for (const EventRow& row : profile_) {
            if (row.source != Event::None && selects(profile_, selector, row)) {
                chosen |= row.selector;
            }
        }
        return chosen == selector && chosen != 0;
    }

    const char* keep(std::string text) { return to_.texts_.emplace_back(std::move(text)).c_str(); }

    ProfileFile& to_;
    PmuProfile& profile_;
    Table root_;
};

ProfileFile::ProfileFile(const fs::path& file) : path_(file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
        throw UserError("cannot read profile file '" + file.string() +
                        "', expected a PMU profile in TOML");
    }
    const std::string name = file.string();
    if (const std::uintmax_t size = fs::file_size(file, error); !error && size > kMostFile) {
        throw UserError(name + " has " + std::to_string(size) +
                        " bytes, expected a PMU profile of at most " + std::to_string(kMostFile));
    }
    try {
        const toml::table document = toml::parse_file(name);
        ProfileReader(*this, name, document).read();
    } catch (const toml::parse_error& problem) {
        throw UserError(name + ":" + std::to_string(problem.source().begin.line) +
                        ": not valid TOML: " + std::string(problem.description()));
    }
}

const PmuProfile& open_profile(const std::string& text,
                               std::shared_ptr<const ProfileFile>& keeper) {
    if (const PmuProfile* profile = find_profile(text.c_str())) {
        return *profile;
    }
    if (text.find_first_of("./") == std::string::npos) {
        throw UserError("there is no profile '" + text + "', expected one of " + profile_names() +
                        ", or a profile file");
    }
    keeper = std::make_shared<const ProfileFile>(text);
    return keeper->profile();
}

std::string profile_names() {
    std::string text;
    for (const PmuProfile* profile : kProfiles) {
        text.append(text.empty() ? "" : ", ").append(profile->name);
    }
    return text;
}

} // namespace pes
