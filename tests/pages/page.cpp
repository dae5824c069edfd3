// SPDX-License-Identifier: Apache-2.0
#include "tests/pages/page.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pes::pages {

std::string read_file(const std::string& file) {
    std::ifstream in(file);
    if (!in) {
        throw std::runtime_error("cannot read '" + file + "'");
    }
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void write_file(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    if (!out) {
        throw std::runtime_error("cannot write '" + file + "'");
    }
}

std::string with_section(const std::string& page, std::string_view begin_line,
                         std::string_view end_line, const std::string& text) {
    const std::string begin_mark = fmt::format("{}\n", begin_line);
    const std::size_t begin = page.find(begin_mark);
    const std::size_t end = page.find(fmt::format("{}\n", end_line));
    if (begin == std::string::npos || end == std::string::npos || end < begin) {
        throw std::runtime_error(
            fmt::format("the page has no place for results: expected the lines '{}' and '{}'",
                        begin_line, end_line));
    }
    return page.substr(0, begin + begin_mark.size()) + "\n" + text + "\n" + page.substr(end);
}

} // namespace pes::pages
