// SPDX-License-Identifier: Apache-2.0
// Two platforms in one process, each with its program. Usage:
// two_platforms (PROGRAM CONSOLE COUNTS KEY=VALUE...) -- (PROGRAM CONSOLE COUNTS KEY=VALUE...)
#include "report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

int sc_main(int count, char** arguments) {
    std::vector<std::unique_ptr<Platform>> platforms;
    std::vector<std::string> results;
    const std::vector<std::string> all(arguments + 1, arguments + count);
    for (auto from = all.begin(); from != all.end();) {
        const auto to = std::find(from, all.end(), "--");
        const std::string name = "platform" + std::to_string(platforms.size());
        platforms.push_back(std::make_unique<Platform>(
            name.c_str(), pes::kit::Settings(std::vector<std::string>(from + 3, to))));
        platforms.back()->hart.load(from[0]);
        platforms.back()->console.file = std::fopen(from[1].c_str(), "w");
        results.push_back(from[2]);
        from = to == all.end() ? to : to + 1;
    }
    sc_core::sc_start();
    for (std::size_t index = 0; index < platforms.size(); ++index) {
        std::fclose(platforms[index]->console.file);
        std::FILE* const file = std::fopen(results[index].c_str(), "w");
        report(*platforms[index], file);
        std::fclose(file);
    }
    return 0;
}
