// SPDX-License-Identifier: Apache-2.0
// pes-page-tables: writes the tables of docs/ that come from the code, or says which are old.
#include "tests/pages/csr_tables.h"
#include "tests/pages/event_tables.h"
#include "tests/pages/metric_tables.h"
#include "tests/pages/page.h"
#include "tests/pages/setting_tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

namespace pes::pages {
namespace {

struct Table {
    const char* page;
    const char* name; ///< of the two lines around it
    std::string (*text)();
};

constexpr Table kTables[] = {
    {"counters.md", "events", cva6_events},
    {"counters-u74.md", "events", u74_events},
    {"counters-cv32e40p.md", "events", cv32e40p_events},
    {"precise-sampling.md", "pdis-events", pdis_events},
    {"profiles.md", "sources", pulse_sources},
    {"metrics.md", "metrics", metric_formulas},
    {"metrics.md", "top-down", top_down_formulas},
    {"metrics.md", "standard-events", standard_events},
    {"hart.md", "csrs", hart_csrs},
    {"settings.md", "settings", setting_reference},
    {"core-packages.md", "parameters", package_reference},
};

/// The page as it should be.
std::string renewed(const std::string& page, const Table& table) {
    return with_section(page, fmt::format("<!-- {}: written by pes-page-tables -->", table.name),
                        fmt::format("<!-- end of {} -->", table.name), table.text());
}

/// True if all were as they should be.
bool renew(const std::string& docs, bool check) {
    bool current = true;
    for (const Table& table : kTables) {
        const std::string file = docs + "/" + table.page;
        const std::string page = read_file(file);
        const std::string text = renewed(page, table);
        if (text == page) {
            continue;
        }
        current = false;
        if (check) {
            fmt::print(stderr,
                       "pes-page-tables: the table '{}' of {} is old, build the target "
                       "page_tables\n",
                       table.name, file);
        } else {
            write_file(file, text);
        }
    }
    return current;
}

} // namespace
} // namespace pes::pages

int main(int argc, char** argv) {
    CLI::App app{"Writes the tables of docs/ that come from the code"};
    std::string docs;
    bool check = false;
    app.add_option("docs", docs, "Folder with the pages")->required();
    app.add_flag("--check", check, "Write nothing; exit code 1 if a table is old");
    CLI11_PARSE(app, argc, argv);
    try {
        return pes::pages::renew(docs, check) || !check ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "pes-page-tables: {}\n", error.what());
        return 2;
    }
}
