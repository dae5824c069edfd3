// SPDX-License-Identifier: Apache-2.0
// FILE.toml: what a reader of a saved trace has to know and cannot see in its bytes. The keys are
// those of the file that the simulator writes beside its own traces. The compression of timestamps
// is not among them, because no register tells it.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/perf/trace_unit.h"

#include <stddef.h>

namespace pes::perf {

struct TraceDescription {
    bool wrapped = false; ///< the oldest bytes have been overwritten
    unsigned source_bits = 0;
    unsigned timestamp_bits = 0; ///< 0: no timestamp
};

/// Characters for a call of the host.
template <size_t Size>
class TextBuffer {
  public:
    void operator()(char character) {
        if (length_ < Size) {
            text_[length_++] = character;
        } else {
            cut_ = true;
        }
    }
    const char* data() const { return text_; }
    size_t length() const { return length_; }
    bool cut() const { return cut_; }

  private:
    char text_[Size];
    size_t length_ = 0;
    bool cut_ = false;
};

constexpr size_t kFileNameSize = 256; ///< the longest that Linux takes, with the NUL
constexpr size_t kDescriptionSize = 128;

inline TextBuffer<kFileNameSize> description_name(const char* trace) {
    TextBuffer<kFileNameSize> name;
    print(name, trace, ".toml");
    name('\0');
    return name;
}

inline TextBuffer<kDescriptionSize> description_text(const TraceDescription& description) {
    TextBuffer<kDescriptionSize> text;
    print(text, "# How to read the trace file of this name.\n",
          "wrapped = ", description.wrapped ? "true" : "false",
          "\nsource_bits = ", uint64_t{description.source_bits}, "\n");
    if (description.timestamp_bits != 0) {
        print(text, "timestamp_bits = ", uint64_t{description.timestamp_bits}, "\n");
    }
    return text;
}

} // namespace pes::perf
