// SPDX-License-Identifier: Apache-2.0
#include "decoder/truth.h"

#include "decoder/user_error.h"

#include <charconv>
#include <string_view>

namespace pes {
namespace {

constexpr std::string_view kHeader = "pc,count";

bool parse_number(std::string_view text, int base, std::uint64_t& value) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base);
    return error == std::errc{} && stop == end;
}

bool parse_line(std::string_view line, Address& pc, std::uint64_t& count) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) {
        return false;
    }
    std::string_view address = line.substr(0, comma);
    address.remove_prefix(address.starts_with("0x") ? 2 : 0);
    return parse_number(address, 16, pc) && parse_number(line.substr(comma + 1), 10, count);
}

} // namespace

AddressTallies read_truth(std::istream& input, const std::string& path) {
    AddressTallies counts;
    std::string line;
    for (std::uint64_t number = 1; std::getline(input, line); ++number) {
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        Address pc = 0;
        std::uint64_t count = 0;
        if (number == 1) {
            if (line != kHeader) {
                throw UserError("'" + path + "' is not a truth file, expected the header line '" +
                                std::string(kHeader) + "'");
            }
        } else if (!parse_line(line, pc, count)) {
            throw UserError("'" + path + "' line " + std::to_string(number) +
                            ": expected a hexadecimal pc and a decimal count");
        } else if (count != 0) {
            counts[pc].add({count, count});
        }
    }
    if (input.bad()) {
        throw UserError("cannot read '" + path + "'");
    }
    return counts;
}

} // namespace pes
