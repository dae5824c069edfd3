// SPDX-License-Identifier: Apache-2.0
#include "platform/host/profile_file.h"

#include "hw/hpm/counter_config.h"
#include "hw/hpm/pcer_csr.h"
#include "hw/interface/pmu/profiles.h"
#include "hw/interface/pmu/pulse_sources.h"
#include "platform/host/numbers.h"
#include "platform/host/toml_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace pes {
namespace {

/// Bits 63:56 of mhpmevent are Sscofpmf's: OF, the filters, and two reserved ones.
constexpr std::uint64_t kSelectorBits = (std::uint64_t{1} << 56) - 1;

constexpr std::size_t kMostText = 1000; ///< of one value, in bytes

constexpr std::string_view kSelectorKinds[] = {"number", "class-mask"};
constexpr std::string_view kRegisterSets[] = {"hpm", "pcer", "pcer-shared"};

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

/// It goes into reports and into the device tree.
std::string line_of_text(const TomlValue& value) {
    std::string text = value.text();
    if (text.empty()) {
        value.refuse("text in one line");
    }
    if (text.size() > kMostText) {
        value.fail(value.key() + " has " + std::to_string(text.size()) +
                   " characters, expected at most " + std::to_string(kMostText));
    }
    if (in_one_line(text) != text) {
        value.fail(value.key() + " = '" + text +
                   "' has control characters, expected text in one line");
    }
    return text;
}

/// It goes into CSV, waveforms and command lines.
std::string identifier(const TomlValue& value) {
    const std::string text = line_of_text(value);
    if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) {
        value.refuse("lower-case letters, digits and hyphens");
    }
    return text;
}

/// A device tree has no room for more.
std::vector<TomlValue> rows(const TomlValue& tables) {
    std::vector<TomlValue> rows = tables.rows();
    if (rows.size() > kMostPmuRows) {
        tables.fail("there are " + std::to_string(rows.size()) + " tables [[" + tables.key() +
                    "]], expected at most " + std::to_string(kMostPmuRows) +
                    ", the rows that a device tree has");
    }
    return rows;
}

} // namespace

/// Fills a ProfileFile from its document.
class ProfileReader {
  public:
    ProfileReader(ProfileFile& to, TomlValue document)
        : to_(to), profile_(to.profile_), root_(std::move(document)) {}

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
        profile_.name = keep(identifier(root_["name"]));
        if (find_profile(profile_.name) != nullptr) {
            root_["name"].fail(std::string("name = '") + profile_.name +
                               "' is a profile that is built in, expected another name");
        }
        profile_.cpu = root_["cpu"] ? keep(line_of_text(root_["cpu"])) : nullptr;
        profile_.selector_kind =
            static_cast<SelectorKind>(root_["selector"].choice(kSelectorKinds));
        profile_.selector_mask = root_["selector_mask"].number();
        if ((profile_.selector_mask & ~kSelectorBits) != 0) {
            root_["selector_mask"].fail("selector_mask = " + hex(profile_.selector_mask) +
                                        " is not valid, expected bits 55 to 0 only: those "
                                        "above are of Sscofpmf");
        }
        profile_.sscofpmf = root_["sscofpmf"].flag();
        profile_.smcntrpmf = root_["smcntrpmf"].flag();
        profile_.registers =
            root_["registers"] ? static_cast<RegisterSet>(root_["registers"].choice(kRegisterSets))
                               : RegisterSet::Hpm;
        profile_.write_freezes = !root_["write_freezes"] || root_["write_freezes"].flag();
        read_counters();
    }

    /// The PCER unit (CV32E40P) has one shape.
    void read_counters() {
        const bool hpm = profile_.registers == RegisterSet::Hpm;
        const auto number = [this](std::string_view key, unsigned least, unsigned most) {
            return static_cast<unsigned>(root_[key].number(least, most));
        };
        profile_.programmable =
            number("counters", hpm ? 0 : kPcerCounters, hpm ? kMaxProgrammable : kPcerCounters);
        profile_.width = number("width", hpm ? kMinCounterWidth : kPcerWidth,
                                hpm ? kMaxCounterWidth : kPcerWidth);
        if (hpm) {
            return;
        }
        if (profile_.sscofpmf || profile_.smcntrpmf) {
            root_["registers"].fail("sscofpmf and smcntrpmf belong to the registers 'hpm', "
                                    "expected false for both");
        }
        if (profile_.selector_kind != SelectorKind::Number) {
            root_["selector"].fail("selector = 'class-mask' belongs to the registers 'hpm', "
                                   "expected 'number', a bit of PCER");
        }
    }

    void read_events() {
        static constexpr std::string_view kKeys[] = {"selector", "name", "title", "meaning",
                                                     "source"};
        std::vector<EventRow>& events = to_.events_;
        for (const TomlValue& row : rows(root_["event"])) {
            row.allow(kKeys);
            const std::string source = line_of_text(row["source"]);
            const std::optional<Event> event = find_source(source);
            if (!event) {
                row["source"].fail("source = '" + source +
                                   "' is no event of the hart, expected one of " + source_names());
            }
            const EventRow read{.selector = selector(row),
                                .name = keep(identifier(row["name"])),
                                .title = keep(line_of_text(row["title"])),
                                .source = *event,
                                .own_meaning = keep(line_of_text(row["meaning"]))};
            check_event(row, read);
            events.push_back(read);
            profile_.events = events.data();
            profile_.event_count = events.size();
        }
        if (events.empty()) {
            root_["event"].fail("there is no event, expected at least one table [[event]]");
        }
    }

    void check_event(const TomlValue& row, const EventRow& read) const {
        if (find_selector(profile_, read.selector) != nullptr) {
            row["selector"].fail("selector = " + hex(read.selector) +
                                 " is there twice, expected one row an event");
        }
        if (find_event(profile_, read.name) != nullptr) {
            row["name"].fail(std::string("name = '") + read.name +
                             "' is there twice, expected another name");
        }
        if (profile_.registers != RegisterSet::Hpm) { // a bit of PCER
            if (read.selector >= kPcerCounters) {
                row["selector"].fail("selector = " + std::to_string(read.selector) +
                                     " is no bit of PCER, expected 0 to " +
                                     std::to_string(kPcerCounters - 1));
            }
            return;
        }
        if (read.selector == 0 && read.source != Event::None) {
            row["selector"].fail("selector = 0 means no event, expected the source 'none'");
        }
        if (profile_.selector_kind == SelectorKind::ClassMask && read.selector != 0 &&
            !std::has_single_bit(read.selector & ~kSelectorClass)) {
            row["selector"].fail("selector = " + hex(read.selector) +
                                 " is not valid, expected a class in bits 7 to 0 and one bit "
                                 "above them");
        }
    }

    void read_sbi_events() {
        static constexpr std::string_view kKeys[] = {"event", "selector"};
        for (const TomlValue& row : rows(root_["sbi"])) {
            row.allow(kKeys);
            const std::uint64_t number = row["event"].number();
            if (!is_sbi_event(number)) {
                row["event"].fail("event = " + hex(number) +
                                  " is no general or cache event of the SBI, expected 0x1 to "
                                  "0xa, or 0x10000 and a code of the SBI's cache events");
            }
            const auto event = static_cast<std::uint32_t>(number);
            const std::uint64_t wanted = selector(row);
            if (std::ranges::find(to_.sbi_events_, event, &SbiEventRow::event) !=
                to_.sbi_events_.end()) {
                row["event"].fail("event = " + hex(event) +
                                  " is there twice, expected one selector an event");
            }
            if (!selects_events(wanted)) {
                row["selector"].fail("selector = " + hex(wanted) +
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
        for (const TomlValue& row : rows(root_["raw"])) {
            row.allow(kKeys);
            const RawEventRow read{row["select"].number(), row["mask"].number()};
            if ((read.select & ~read.mask) != 0) {
                row["select"].fail("select = " + hex(read.select) + " never matches under mask = " +
                                   hex(read.mask) + ", expected bits of the mask only");
            }
            if ((read.select & ~kSelectorBits) != 0) {
                row["select"].fail("select = " + hex(read.select) +
                                   " never matches: event_data has bits 55 to 0, expected "
                                   "these only");
            }
            to_.raw_events_.push_back(read);
        }
        profile_.raw_events = to_.raw_events_.empty() ? nullptr : to_.raw_events_.data();
        profile_.raw_event_count = to_.raw_events_.size();
    }

    std::uint64_t selector(const TomlValue& row) const {
        const std::uint64_t value = row["selector"].number();
        if ((value & ~profile_.selector_mask) != 0) {
            row["selector"].fail("selector = " + hex(value) + " is outside selector_mask = " +
                                 hex(profile_.selector_mask) + ", expected bits of the mask only");
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
    TomlValue root_;
};

ProfileFile::ProfileFile(const std::filesystem::path& file) : path_(file) {
    ProfileReader(*this, TomlValue::read_file(file, "profile file")).read();
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
