// SPDX-License-Identifier: Apache-2.0
// Text in fixed fields, for a library without a C library.
#pragma once

#include <stddef.h>

namespace pes::papi {

constexpr bool same_text(const char* left, const char* right) {
    while (*left != '\0' && *left == *right) {
        ++left;
        ++right;
    }
    return *left == *right;
}

/// The rest of `text` behind `prefix`, or null.
constexpr const char* behind(const char* text, const char* prefix) {
    while (*prefix != '\0') {
        if (*text++ != *prefix++) {
            return nullptr;
        }
    }
    return text;
}

/// Adds `text` at the end of the field, cut off to fit.
template <size_t Size>
void append_text(char (&field)[Size], const char* text) {
    size_t at = 0;
    while (field[at] != '\0') {
        ++at;
    }
    while (*text != '\0' && at + 1 < Size) {
        field[at++] = *text++;
    }
    field[at] = '\0';
}

template <size_t Size>
void set_text(char (&field)[Size], const char* text) {
    field[0] = '\0';
    append_text(field, text);
}

} // namespace pes::papi
