// SPDX-License-Identifier: Apache-2.0
#include "platform/host/csv_columns.h"

#include <algorithm>

namespace pes {

bool next_line(std::istream& input, std::string& line) {
    if (!std::getline(input, line)) {
        return false;
    }
    if (line.ends_with('\r')) {
        line.pop_back();
    }
    return true;
}

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) {
            return fields;
        }
        line.remove_prefix(comma + 1);
    }
}

CsvColumns::CsvColumns(std::string_view header) {
    for (const std::string_view name : fields_of(header)) {
        names_.emplace_back(name);
    }
}

std::optional<std::size_t> CsvColumns::find(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? std::nullopt
                                 : std::optional<std::size_t>(found - names_.begin());
}

} // namespace pes
