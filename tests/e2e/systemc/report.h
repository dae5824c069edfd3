// SPDX-License-Identifier: Apache-2.0
// What the tests print of a platform, as the example does.
#pragma once

#include "my_platform.h"

#include <cstdio>

inline void report(const Platform& platform, std::FILE* file) {
    const auto print = [file](const char* name, std::uint64_t count) {
        std::fprintf(file, "%s %llu\n", name, static_cast<unsigned long long>(count));
    };
    print("cycles", platform.hart.cycles());
    print("instructions", platform.hart.instructions());
    for (const auto& event : platform.hart.events()) {
        print(event.name.c_str(), event.count);
    }
}
