// SPDX-License-Identifier: Apache-2.0
#include "decoder/sample_lines.h"

#include "platform/host/csv_columns.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace pes {
namespace {

/// The next word, which is taken off the line; empty behind the last one.
std::string_view take_word(std::string_view& line) {
    constexpr std::string_view kBlanks = " \t,;:";
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    line.remove_prefix(word.size());
    return word;
}

std::optional<SampleLine> sample_of(std::string_view line) {
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
        word.remove_prefix(word.starts_with("0x") || word.starts_with("0X") ? 2 : 0);
        if (const auto pc = parse_digits(word, 16)) {
            return SampleLine{.pc = *pc, .period = parse_digits(take_word(line), 10).value_or(0)};
        }
    }
    return std::nullopt;
}

} // namespace

bool begins_with_record(std::istream& input) {
    return input.peek() == static_cast<int>(kSampleMagic & 0xFF);
}

std::vector<SampleLine> read_sample_lines(std::istream& input, const std::string& path) {
    std::vector<SampleLine> samples;
    std::string line;
    for (std::uint64_t number = 1; next_line(input, line); ++number) {
        if (line.find_first_not_of(" \t") == std::string::npos || line.front() == '#') {
            continue;
        }
        const auto sample = sample_of(line);
        if (!sample) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a hexadecimal address (or, as a whole, sample records)");
        }
        samples.push_back(*sample);
    }
    if (input.bad()) {
        throw UserError("cannot read '" + path + "'");
    }
    return samples;
}

SampleRecord record_of(const SampleLine& line, const EventId& event) {
    constexpr std::uint8_t kCycle = 0, kInstret = 2, kProgrammable = 3;
    SampleRecord record{};
    record.magic = kSampleMagic;
    record.size = kSampleSize;
    record.version = kSampleVersion;
    record.counter = event.kind == CounterKind::Cycles    ? kCycle
                     : event.kind == CounterKind::Instret ? kInstret
                                                          : kProgrammable;
    record.event = event.selector;
    record.pc = line.pc;
    record.threshold = line.period;
    return record;
}

} // namespace pes
