// SPDX-License-Identifier: Apache-2.0
// FILE.toml: what a reader of a saved trace has to know and cannot see in its bytes. The keys are
// those of the file that the simulator writes beside its own traces.
#pragma once

#include "firmware/lib/text.h"
#include "firmware/perf/trace_unit.h"

#include <stddef.h>

namespace pes::perf {

struct TraceDescription {
    bool wrapped = false; ///< the oldest bytes have been overwritten
    bool stopped = false; ///< when the buffer was full
    unsigned source_bits = 0;
    unsigned timestamp_bits = 0; ///< 0: no timestamp
    bool differences = false;    ///< relative timestamps are
    uint64_t clock_hz = 0;       ///< of the timestamps; 0: not known
    uint32_t crc32 = 0;          ///< of the bytes of the trace
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
constexpr size_t kDescriptionSize = 256;

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
          "\nstopped = ", description.stopped ? "true" : "false",
          "\nsource_bits = ", uint64_t{description.source_bits},
          "\ncrc32 = ", Hex{description.crc32}, "\n");
    if (description.timestamp_bits != 0) {
        print(text, "timestamps = ", description.differences ? "\"n-trace\"" : "\"sifive\"",
              "\ntimestamp_bits = ", uint64_t{description.timestamp_bits}, "\n");
    }
    if (description.clock_hz != 0) {
        print(text, "clock_hz = ", description.clock_hz, "\n");
    }
    return text;
}

} // namespace pes::perf
