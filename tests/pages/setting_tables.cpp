// SPDX-License-Identifier: Apache-2.0
#include "tests/pages/setting_tables.h"

#include "platform/config/config.h"
#include "platform/config/settings.h"

#include <fmt/format.h>

namespace pes::pages {
namespace {

std::string_view prefix_of(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string heading(std::string_view prefix) {
    const std::string title = prefix.empty() ? "The platform" : fmt::format("`{}`", prefix);
    return fmt::format("## {}\n\n| key | default | value | meaning |\n| --- | --- | --- | --- |\n",
                       title);
}

} // namespace

std::string setting_reference() {
    const PlatformConfig defaults = make_config({}, {});
    std::string text;
    const Setting* previous = nullptr;
    for (const Setting& setting : settings()) {
        if (previous == nullptr || prefix_of(previous->key) != prefix_of(setting.key)) {
            text += (previous == nullptr ? "" : "\n") + heading(prefix_of(setting.key));
        }
        text +=
            fmt::format("| `{}` | `{}` | {} | {} |\n", setting.key, print_value(setting, defaults),
                        expectation(setting), setting.description);
        previous = &setting;
    }
    return text;
}

} // namespace pes::pages
