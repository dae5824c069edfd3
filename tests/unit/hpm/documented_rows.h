// SPDX-License-Identifier: Apache-2.0
// Tables of a page of documentation, to compare them with what they document.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace pes::test {

/// The cells of a line between bars, without the blanks around them.
inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    std::string cell;
    std::getline(stream, cell, '|'); // before the first bar
    while (std::getline(stream, cell, '|')) {
        const auto first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos
                            ? ""
                            : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    }
    return cells;
}

/// The rows of the Markdown table whose first header cell is `header`.
inline std::vector<std::vector<std::string>> documented_rows(const char* page,
                                                             const std::string& header) {
    std::ifstream file(page);
    std::vector<std::vector<std::string>> rows;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("| " + header + " |", 0) == 0) {
            inside = true;
        } else if (line.rfind('|', 0) != 0) {
            inside = false;
        } else if (inside && line.rfind("| -", 0) != 0) {
            rows.push_back(cells_of(line));
        }
    }
    return rows;
}

} // namespace pes::test
