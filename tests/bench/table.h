// SPDX-License-Identifier: Apache-2.0
// A table of the report, for a terminal and for a page.
#pragma once

#include <string>
#include <vector>

namespace pes::bench {

using Row = std::vector<std::string>;

struct Table {
    Row header;
    std::vector<Row> rows; ///< as long as the header
};

std::string text(const Table& table);
std::string markdown(const Table& table);

/// What stands above a table of a page, without the full stop.
std::string measured_how(const std::string& machine, unsigned runs);

/// "pass" or "MISS", for beside a value.
inline const char* verdict(bool passed) {
    return passed ? "pass" : "MISS";
}

/// "9.9 % (<10 % pass)".
std::string below(double value, double bar, const char* unit, int digits);
/// "14.2 MIPS (10 pass)".
std::string at_least(double value, double bar, const char* unit);

} // namespace pes::bench
