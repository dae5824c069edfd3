// SPDX-License-Identifier: Apache-2.0
// pes-page-section PAGE NAME WRITER FILE: puts the text of FILE between the lines
// "<!-- NAME: written by WRITER -->" and "<!-- end of NAME -->" of PAGE.
#include "tests/pages/page.h"

#include <fmt/format.h>

#include <exception>

int main(int argc, char** argv) {
    using namespace pes::pages;
    if (argc != 5) {
        fmt::print(stderr, "usage: pes-page-section PAGE NAME WRITER FILE\n");
        return 2;
    }
    try {
        std::string text = read_file(argv[4]);
        text.erase(text.find_last_not_of('\n') + 1);
        write_file(argv[1],
                   with_section(read_file(argv[1]),
                                fmt::format("<!-- {}: written by {} -->", argv[2], argv[3]),
                                fmt::format("<!-- end of {} -->", argv[2]), text + "\n"));
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "pes-page-section: {}\n", error.what());
        return 2;
    }
}
