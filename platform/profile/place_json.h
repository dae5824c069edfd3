// SPDX-License-Identifier: Apache-2.0
// What a row is about, as JSON; the same names in every table.
#pragma once

#include "platform/profile/hot_spots.h"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <string>

namespace pes {

using Json = nlohmann::ordered_json; // the order of writing is the order of reading

inline Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

inline void add_place(Json& row, const RowPlace& place) {
    row["function"] = text_or_null(place.function);
    row["file"] = text_or_null(place.file);
    row["line"] = place.line == 0 ? Json(nullptr) : Json(place.line);
    row["address"] = fmt::format("{:#x}", place.address); // JSON numbers lose bits above 2^53
    row["offset"] = place.offset;
    row["program"] = text_or_null(place.program);
}

/// On one line, for programs.
inline std::string compact_text_of(const Json& document) {
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// Symbol names and paths may hold any bytes; what is not UTF-8 becomes U+FFFD.
inline std::string text_of(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace pes
