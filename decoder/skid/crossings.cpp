// SPDX-License-Identifier: Apache-2.0
#include "decoder/skid/crossings.h"

#include "platform/host/csv_columns.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pes {
namespace {

/// In the order of the file as the platform writes it; others may be between them.
enum Column : std::uint8_t {
    kHart,
    kCounter,
    kKind,
    kEvent,
    kCycle,
    kInstret,
    kPrivilege,
    kSatp,
    kPc,
    kTrapCycle,
    kTrapInstret,
    kTrapPrivilege,
    kTrapSatp,
    kTrapPc,
    kColumns,
};
constexpr std::array<std::string_view, kColumns> kNames = {
    "hart", "counter", "kind",       "event",        "cycle",          "instret",   "privilege",
    "satp", "pc",      "trap_cycle", "trap_instret", "trap_privilege", "trap_satp", "trap_pc"};

/// Reads the fields of one line; remembers whether all were good.
class Line {
  public:
    Line(const std::vector<std::string_view>& fields,
         const std::array<std::size_t, kColumns>& places)
        : fields_(fields), places_(places) {}

    bool empty(Column column) const { return text(column).empty(); }

    std::uint64_t number(Column column) { return taken(parse_digits(text(column))); }
    std::uint64_t hexadecimal(Column column) {
        const std::string_view digits = text(column);
        return taken(digits.starts_with("0x") ? parse_digits(digits.substr(2), 16) : std::nullopt);
    }
    void privilege(Column column) {
        const std::string_view letter = text(column);
        good_ = good_ && (letter == "U" || letter == "S" || letter == "M");
    }
    CrossingKind kind() {
        const bool overflow = text(kKind) == "overflow";
        good_ = good_ && (overflow || text(kKind) == "threshold");
        return overflow ? CrossingKind::Overflow : CrossingKind::Threshold;
    }
    void require(bool good) { good_ = good_ && good; }
    bool good() const { return good_; }

  private:
    std::string_view text(Column column) const { return fields_[places_[column]]; }
    std::uint64_t taken(const std::optional<std::uint64_t>& value) {
        good_ = good_ && value.has_value();
        return value.value_or(0);
    }

    const std::vector<std::string_view>& fields_;
    const std::array<std::size_t, kColumns>& places_;
    bool good_ = true;
};

/// Where the platform did not know the cause, these fields are empty.
void read_cause(Line& line, CrossingRecord& crossing) {
    if (!line.empty(kInstret)) {
        crossing.instret = line.number(kInstret);
    }
    if (!line.empty(kPc)) {
        crossing.pc = line.hexadecimal(kPc);
    }
    if (!line.empty(kPrivilege)) {
        line.privilege(kPrivilege);
    }
    if (!line.empty(kSatp)) {
        line.hexadecimal(kSatp);
    }
}

void read_interrupt(Line& line, CrossingRecord& crossing) {
    constexpr std::array kFields = {kTrapCycle, kTrapInstret, kTrapPrivilege, kTrapSatp, kTrapPc};
    if (std::ranges::all_of(kFields, [&line](Column column) { return line.empty(column); })) {
        return;
    }
    crossing.interrupt = {.cycle = line.number(kTrapCycle),
                          .instret = line.number(kTrapInstret),
                          .pc = line.hexadecimal(kTrapPc)};
    line.privilege(kTrapPrivilege);
    line.hexadecimal(kTrapSatp);
}

std::optional<CrossingRecord> read_line(Line line) {
    constexpr std::uint64_t kMostCounter = 31;
    constexpr std::uint64_t kTime = 1; // mcycle's neighbour is not a counter of events
    CrossingRecord crossing;
    const std::uint64_t hart = line.number(kHart);
    const std::uint64_t counter = line.number(kCounter);
    line.require(hart <= ~std::uint32_t{0} && counter <= kMostCounter && counter != kTime);
    crossing.hart = static_cast<std::uint32_t>(hart);
    crossing.counter = static_cast<std::uint8_t>(counter);
    crossing.kind = line.kind();
    crossing.event = line.hexadecimal(kEvent) & ~kFilterBits;
    crossing.cycle = line.number(kCycle);
    read_cause(line, crossing);
    read_interrupt(line, crossing);
    return line.good() ? std::optional(crossing) : std::nullopt;
}

std::array<std::size_t, kColumns> places_in(const CsvColumns& columns, const std::string& path) {
    std::array<std::size_t, kColumns> places{};
    for (std::size_t i = 0; i < kColumns; ++i) {
        const auto place = columns.find(kNames[i]);
        if (!place) {
            throw UserError("'" + path + "' has no column " + std::string(kNames[i]) +
                            ", expected a file that pes-vp --crossings writes");
        }
        places[i] = *place;
    }
    return places;
}

} // namespace

EventId event_of(const CrossingRecord& crossing) {
    SampleRecord record{};
    record.counter = crossing.counter;
    record.event = crossing.event;
    return event_of(record);
}

std::vector<CrossingRecord> read_crossings(std::istream& input, const std::string& path) {
    std::string line;
    next_line(input, line);
    const CsvColumns columns(line);
    const std::array<std::size_t, kColumns> places = places_in(columns, path);
    std::vector<CrossingRecord> crossings;
    for (std::uint64_t number = 2; next_line(input, line); ++number) {
        const std::vector<std::string_view> fields = fields_of(line);
        const auto crossing =
            fields.size() == columns.size() ? read_line({fields, places}) : std::nullopt;
        if (!crossing) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a crossing in " + std::to_string(columns.size()) +
                            " columns: decimal hart, counter, cycles and instret, threshold or "
                            "overflow, hexadecimal event, satp and pc after 0x, privilege U, S or "
                            "M");
        }
        crossings.push_back(*crossing);
    }
    if (input.bad()) {
        throw UserError("cannot read '" + path + "'");
    }
    return crossings;
}

} // namespace pes
