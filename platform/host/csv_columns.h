// SPDX-License-Identifier: Apache-2.0
// Tables of numbers in CSV files: columns by their names, lines as fields. No field is quoted.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// The next line without its end, or false.
bool next_line(std::istream& input, std::string& line);

std::vector<std::string_view> fields_of(std::string_view line);

class CsvColumns {
  public:
    explicit CsvColumns(std::string_view header);

    std::optional<std::size_t> find(std::string_view name) const;
    const std::string& name(std::size_t column) const { return names_[column]; }
    std::size_t size() const { return names_.size(); }

  private:
    std::vector<std::string> names_;
};

} // namespace pes
