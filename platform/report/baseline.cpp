// SPDX-License-Identifier: Apache-2.0
#include "platform/host/regular_file.h"
#include "platform/host/user_error.h"
#include "platform/report/page_costs.h"
#include "platform/report/run_report.h"

#include <string_view>

namespace pes {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file) {
    throw UserError("--baseline got '" + file.string() +
                    "', expected a page that --report of this version has written");
}

/// The text of the page's data element.
std::string_view data_of(std::string_view page, const std::filesystem::path& file) {
    constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t begin = page.find(kBegin);
    const std::size_t end = page.find("</script>", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) {
        refuse(file);
    }
    return page.substr(begin + kBegin.size(), end - begin - kBegin.size());
}

/// Of index, value, index, value, ...
double sum_of(const PageJson& pairs) {
    double sum = 0;
    for (std::size_t index = 1; index < pairs.size(); index += 2) {
        sum += pairs[index].get<double>();
    }
    return sum;
}

/// `known`: the files and lines of the page.
void add_lines(RunCosts& costs, const PageJson& code, const PageJson& known) {
    for (const PageJson& row : code) {
        const auto number = row.at(2).get<std::int64_t>();
        const double cycles = sum_of(row.at(6));
        if (number < 0 || cycles == 0) {
            continue;
        }
        const PageJson& line = known.at("lines").at(static_cast<std::size_t>(number));
        costs.lines.push_back({.file = known.at("files").at(line.at(0).get<std::size_t>()),
                               .number = line.at(1),
                               .text = line.at(2),
                               .cycles = cycles});
    }
}

} // namespace

RunCosts costs_of_page(const PageJson& data) {
    RunCosts costs{.title = data.at("title"),
                   .command = data.at("command"),
                   .cycles = data.at("cycles"),
                   .instructions = data.at("instructions")};
    for (const PageJson& function : data.at("functions")) {
        const std::int64_t number = function.value("line", std::int64_t{-1});
        std::string place = function.value("program", "");
        if (number >= 0) {
            const PageJson& line = data.at("lines").at(static_cast<std::size_t>(number));
            place = data.at("files").at(line.at(0).get<std::size_t>());
        }
        costs.functions.push_back({.name = function.at("name"),
                                   .place = std::move(place),
                                   .cycles = sum_of(function.at("cycles"))});
        if (function.contains("code")) {
            add_lines(costs, function.at("code"), data);
        }
    }
    return costs;
}

std::string read_baseline(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = read_image(file, "baseline");
    const std::string_view page(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    try {
        const PageJson data = PageJson::parse(data_of(page, file));
        costs_of_page(data);
        PageJson kept = PageJson::object();
        for (const char* key : {"title", "command", "cycles", "instructions", "stack", "functions",
                                "lines", "files"}) {
            kept[key] = data.at(key);
        }
        return kept.dump();
    } catch (const PageJson::exception&) {
        refuse(file);
    }
}

} // namespace pes
