// SPDX-License-Identifier: Apache-2.0
#include "tests/pages/setting_tables.h"

#include "platform/config/config.h"
#include "platform/config/core_package.h"
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

std::string treatment(const PackageParameter& row) {
    using enum PackageParameter::Effect;
    using Scale = PackageParameter::Scale;
    switch (row.effect) {
    case Sets: {
        const std::string key = fmt::format("sets `{}`", row.target);
        return row.scale == Scale::None      ? key
               : row.scale == Scale::Half    ? key + " to half"
               : row.scale == Scale::Bytes   ? key + " to an eighth"
               : row.scale == Scale::Flag    ? key
               : row.scale == Scale::NotFlag ? key + " to the opposite"
                                             : key + " to two to this power";
    }
    case Extends:
        return fmt::format("`{}` of `hart.isa`", row.target);
    case Fixed:
        return fmt::format("must be {}", row.target);
    case Note:
        return fmt::format("a note unless {}", row.target);
    case Elsewhere:
        return "is not read";
    }
    return "";
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

std::string package_reference() {
    std::string text = "| parameter | pes-vp | why, or what it is |\n| --- | --- | --- |\n";
    for (const PackageParameter& row : package_parameters()) {
        const bool noted = !row.usual.empty();
        text += fmt::format("| `{}` | {}{} | {} |\n", row.name, treatment(row),
                            noted ? fmt::format(", a note unless {}", row.usual) : "", row.meaning);
    }
    return text;
}

} // namespace pes::pages
