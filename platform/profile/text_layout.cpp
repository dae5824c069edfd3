// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

namespace pes {
namespace {

constexpr const char* kBold = "\033[1m";
constexpr const char* kCyan = "\033[36m";
constexpr const char* kPlain = "\033[0m";

constexpr unsigned kEighths = 8;
constexpr std::array<const char*, kEighths> kPartialBlocks = {"",  "▏", "▎", "▍",
                                                              "▌", "▋", "▊", "▉"};

} // namespace

TextStyle terminal_style(bool ascii, bool no_color) {
    std::setlocale(LC_CTYPE, "");
    const char* plain = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool can_color = isatty(STDOUT_FILENO) != 0 && (plain == nullptr || *plain == '\0') &&
                           terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
    return {.unicode = !ascii && std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
            .color = can_color && !no_color};
}

std::string bar(double fraction, unsigned cells, TextStyle style) {
    const unsigned steps_per_cell = style.unicode ? kEighths : 1;
    auto steps = static_cast<unsigned>(std::lround(fraction * cells * steps_per_cell));
    steps = std::min(steps, cells * steps_per_cell);
    const unsigned full = steps / steps_per_cell;
    std::string blocks;
    for (unsigned i = 0; i < full; ++i) {
        blocks += style.unicode ? "█" : "#";
    }
    const unsigned partial = steps % steps_per_cell;
    blocks += kPartialBlocks[partial];
    const unsigned used = full + (partial != 0 ? 1 : 0);
    const std::string padding(cells - used, ' ');
    return style.color ? kCyan + blocks + kPlain + padding : blocks + padding;
}

std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return result;
}

std::string short_path(std::string_view path) {
    const std::size_t last = path.rfind('/');
    const std::size_t before =
        last == std::string_view::npos || last == 0 ? last : path.rfind('/', last - 1);
    return printable(before == std::string_view::npos ? path : path.substr(before + 1));
}

std::string heading(std::string_view text, TextStyle style) {
    return style.color ? kBold + std::string(text) + kPlain : std::string(text);
}

std::string line_text(const RowPlace& place) {
    return place.line == 0 ? "(no line)" : fmt::format("{}:{}", short_path(place.file), place.line);
}

std::string rows_text(GroupBy by) {
    return by == GroupBy::Instruction ? "addresses" : fmt::format("{}s", to_string(by));
}

std::string place_text(const RowPlace& place, GroupBy by, std::size_t line_width) {
    const bool has_offset = by == GroupBy::Instruction || by == GroupBy::Block;
    const std::string function =
        function_text(place.function) +
        (has_offset && !place.function.empty() ? fmt::format("+{:#x}", place.offset) : "") +
        (place.process ? fmt::format(", process {}", *place.process) : "");
    switch (by) {
    case GroupBy::Function:
        return function;
    case GroupBy::Line:
        return fmt::format("{:<{}}  {}", line_text(place), line_width, function);
    case GroupBy::Block:
    case GroupBy::Instruction:
        break;
    }
    return fmt::format("{:#018x}  {:<{}}  {}", place.address, line_text(place), line_width,
                       function);
}

std::string function_text(const std::string& function) {
    return function.empty() ? "(outside of symbols)" : printable(function);
}

} // namespace pes
