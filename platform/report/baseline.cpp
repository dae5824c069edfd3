// SPDX-License-Identifier: Apache-2.0
#include "platform/host/regular_file.h"
#include "platform/host/user_error.h"
#include "platform/report/run_report.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace pes {
namespace {

using Json = nlohmann::ordered_json;

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

} // namespace

std::string read_baseline(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = read_image(file, "baseline");
    const std::string_view page(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const Json data = Json::parse(data_of(page, file), nullptr, false);
    Json kept = Json::object();
    for (const char* key : {"title", "command", "cycles", "instructions", "stack", "reasons",
                            "functions", "lines", "files"}) {
        if (!data.is_object() || !data.contains(key)) {
            refuse(file);
        }
        kept[key] = data[key];
    }
    return kept.dump();
}

} // namespace pes
