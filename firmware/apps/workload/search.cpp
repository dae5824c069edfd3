// SPDX-License-Identifier: Apache-2.0
// Plain search for a short word in a text of few letters, so that most attempts go a few steps.
#include "firmware/apps/workload/workload.h"

namespace pes::workload {

namespace {

constexpr unsigned kLetters = 16 * 1024;
char text[kLetters + 1];

} // namespace

[[gnu::noipa]] static unsigned count_matches(const char* word) {
    unsigned matches = 0;
    for (const char* at = text; *at != '\0'; ++at) {
        const char* left = at;
        const char* right = word;
        while (*right != '\0' && *left == *right) {
            ++left;
            ++right;
        }
        matches += *right == '\0' ? 1 : 0;
    }
    return matches;
}

uint64_t search_text(unsigned rounds) {
    static constexpr const char* kWords[] = {"abba", "dada", "cabac", "bdbdb"};
    Sequence numbers(4);
    for (unsigned i = 0; i < kLetters; ++i) {
        text[i] = static_cast<char>('a' + numbers.next() % 4);
    }
    uint64_t matches = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        matches = matches * 31 + count_matches(kWords[round % 4]);
    }
    return matches;
}

} // namespace pes::workload
