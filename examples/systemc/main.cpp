// SPDX-License-Identifier: Apache-2.0
// Usage: my-platform PROGRAM [KEY=VALUE...]. Prints what the program has cost, on stderr.
#include "my_platform.h"

#include <cstdio>

int sc_main(int count, char** arguments) {
    try {
        const std::vector<std::string> words(arguments + 1, arguments + count);
        if (words.empty()) {
            throw pes::kit::Error("usage: my-platform PROGRAM [KEY=VALUE...]");
        }
        Platform platform("platform", pes::kit::Settings({words.begin() + 1, words.end()}));
        platform.hart.load(words.front());
        sc_core::sc_start();
        std::fprintf(stderr, "cycles %llu\ninstructions %llu\n",
                     static_cast<unsigned long long>(platform.hart.cycles()),
                     static_cast<unsigned long long>(platform.hart.instructions()));
        for (const auto& event : platform.hart.events()) {
            std::fprintf(stderr, "%s %llu\n", event.name.c_str(),
                         static_cast<unsigned long long>(event.count));
        }
        if (platform.hart.end() != pes::kit::Hart::End::Stopped) {
            std::fprintf(stderr, "%s\n", platform.hart.report().c_str());
            return 1;
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
