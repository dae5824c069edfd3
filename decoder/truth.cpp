// SPDX-License-Identifier: Apache-2.0
#include "decoder/truth.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <array>

namespace pes {
namespace {

constexpr std::string_view kHeader = "pc,count";
constexpr std::string_view kHeaderWithCycles = "pc,count,cycles";
constexpr std::string_view kHeaderWithMachine = "pc,count,cycles,machine_count,machine_cycles";
constexpr std::size_t kMostFields = 5;

/// Columns of the file with this header line; 0 if it is none.
std::size_t columns_of(std::string_view header) {
    if (header == kHeader) {
        return 2;
    }
    if (header == kHeaderWithCycles) {
        return 3;
    }
    return header == kHeaderWithMachine ? kMostFields : 0;
}

/// Exactly `count` numbers between commas; the first is hexadecimal.
bool parse_line(std::string_view line, std::size_t count,
                std::array<std::uint64_t, kMostFields>& fields) {
    line.remove_prefix(line.starts_with("0x") ? 2 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_last = i + 1 == count;
        const std::size_t end = is_last ? line.size() : line.find(',');
        const auto value = parse_digits(line.substr(0, end), i == 0 ? 16 : 10);
        if (end == std::string_view::npos || !value) {
            return false;
        }
        fields[i] = *value;
        line.remove_prefix(is_last ? end : end + 1);
    }
    return true;
}

void add(AddressTallies& tallies, Address pc, std::uint64_t count) {
    if (count != 0) {
        tallies[pc].add({count, count});
    }
}

} // namespace

std::string_view to_string(TruthMeasure measure) {
    return measure == TruthMeasure::Cycles ? "cycles" : "retired instructions";
}

TruthMeasure Truth::measure_for(const EventId& event) const {
    return event.kind == CounterKind::Cycles && has_cycles ? TruthMeasure::Cycles
                                                           : TruthMeasure::Retired;
}

const AddressTallies& Truth::of(TruthMeasure measure) const {
    return measure == TruthMeasure::Cycles ? cycles : retired;
}

Truth read_truth(std::istream& input, const std::string& path) {
    Truth truth;
    std::string line;
    std::size_t columns = 0;
    for (std::uint64_t number = 1; std::getline(input, line); ++number) {
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        if (number == 1) {
            columns = columns_of(line);
            if (columns != 0) {
                continue;
            }
        }
        if (columns == 0) {
            break;
        }
        std::array<std::uint64_t, kMostFields> fields{};
        if (!parse_line(line, columns, fields)) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a hexadecimal pc and decimal numbers in " +
                            std::to_string(columns) + " columns");
        }
        const auto [pc, count, cycles, machine_count, machine_cycles] = fields;
        if (machine_count > count || machine_cycles > cycles) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": more in machine mode than in all, expected a part of it");
        }
        add(truth.retired, pc, count);
        add(truth.cycles, pc, cycles);
        add(truth.machine_retired, pc, machine_count);
        add(truth.machine_cycles, pc, machine_cycles);
    }
    truth.has_cycles = columns > 2;
    truth.tells_machine = columns == kMostFields;
    if (input.bad()) {
        throw UserError("cannot read '" + path + "'");
    }
    if (columns == 0) {
        throw UserError("'" + path + "' is not a truth file, expected the header line '" +
                        std::string(kHeaderWithMachine) + "'");
    }
    return truth;
}

} // namespace pes
