// SPDX-License-Identifier: Apache-2.0
#include "platform/host/user_error.h"
#include "platform/report/page_text.h"
#include "platform/report/run_report.h"

namespace pes {

void require_page() {
    if (run_page_text().empty()) {
        throw UserError("--report: this build has no report page, expected a build after "
                        "scripts/setup.sh, which fetches the page's libraries");
    }
}

void write_page(std::ostream& out, const PageText& page, std::string_view data) {
    for (const std::string_view piece : page.before_data) {
        out << piece;
    }
    // The data are text of a script element, which ends at "</".
    for (const char character : data) {
        if (character == '<') {
            out << "\\u003c";
        } else {
            out << character;
        }
    }
    for (const std::string_view piece : page.behind_data) {
        out << piece;
    }
}

void write_page(std::ostream& out, const RunReport& report, const Symbolizer& symbolizer) {
    write_page(out, run_page_text(), report_data(report, symbolizer));
}

} // namespace pes
