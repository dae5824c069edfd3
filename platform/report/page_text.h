// SPDX-License-Identifier: Apache-2.0
// An HTML page around its data, as the build has embedded it (scripts/cmake/PesPages.cmake).
#pragma once

#include <ostream>
#include <string_view>
#include <vector>

namespace pes {

/// In pieces, one after the other; empty in a build without the libraries of pages.
struct PageText {
    std::vector<std::string_view> before_data;
    std::vector<std::string_view> behind_data;

    bool empty() const { return before_data.empty(); }
};

/// `data`: JSON.
void write_page(std::ostream& out, const PageText& page, std::string_view data);

/// Of a run.
const PageText& run_page_text();

} // namespace pes
