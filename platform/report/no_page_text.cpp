// SPDX-License-Identifier: Apache-2.0
// For a build without the libraries of the page.
#include "platform/report/page_text.h"

namespace pes {
namespace {
const std::vector<std::string_view> kNone;
}

const std::vector<std::string_view>& page_before_data() {
    return kNone;
}

const std::vector<std::string_view>& page_behind_data() {
    return kNone;
}

} // namespace pes
