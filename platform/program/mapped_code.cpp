// SPDX-License-Identifier: Apache-2.0
#include "platform/program/mapped_code.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <sstream>

namespace pes {

/// "55555802c000-55555802d000 r-xp 00000000 b3:04 528326   /home/root/gtod"
std::optional<MappedCode> parse_mapped_code(const std::string& line, const std::string& source) {
    std::istringstream words(line);
    std::string range, rights, offset, device, inode;
    if (!(words >> range)) {
        return std::nullopt;
    }
    words >> rights >> offset >> device >> inode >> std::ws;
    const std::size_t dash = range.find('-');
    const auto begin = parse_digits(range.substr(0, dash), 16);
    const auto end = parse_digits(dash == std::string::npos ? "" : range.substr(dash + 1), 16);
    const auto in_file = parse_digits(offset, 16);
    if (!begin || !end || !in_file || rights.size() != 4 || inode.empty()) {
        throw UserError("'" + source + "' holds the line '" + line +
                        "', expected those of /proc/PID/maps");
    }
    MappedCode code{.begin = *begin, .end = *end, .offset = *in_file, .name = {}};
    std::getline(words, code.name);
    return rights[2] == 'x' && !code.name.empty() ? std::optional(code) : std::nullopt;
}

} // namespace pes
