// SPDX-License-Identifier: Apache-2.0
// The sentence behind a Status::Error, for perfLastError(): one for each hart.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/perf/status.h"
#include "firmware/perf/trace_unit.h"

#include <stddef.h>

namespace pes::perf {

/// Room for one sentence; what is longer is cut.
struct ErrorText {
    static constexpr size_t kSize = 192;

    const char* sentence = "";
    char composed[kSize] = {};
};

ErrorText& error_text(); ///< of the calling hart

/// Prints as "encoder 1" or "funnel 0" and its address.
struct UnitName {
    TraceUnit unit;
};
struct NameParts {
    const char* kind;
    uint64_t index;
    uint64_t base;
};
NameParts name_parts(const TraceUnit& unit);

template <typename Sink>
void put(Sink& sink, UnitName name) {
    const NameParts parts = name_parts(name.unit);
    print(sink, parts.kind, " ", parts.index, " at ", Hex{parts.base});
}

inline Status fail(const char* sentence) {
    error_text().sentence = sentence;
    return Status::Error;
}

template <typename... Parts>
Status fail(const char* first, Parts... parts) {
    ErrorText& text = error_text();
    size_t length = 0;
    const auto append = [&text, &length](char character) {
        if (length + 1 < ErrorText::kSize) {
            text.composed[length++] = character;
        }
    };
    print(append, first, parts...);
    text.composed[length] = '\0';
    text.sentence = text.composed;
    return Status::Error;
}

} // namespace pes::perf
