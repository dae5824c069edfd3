// SPDX-License-Identifier: Apache-2.0
// Objects of Chrome's Trace Event Format, which Perfetto's viewer opens: a process for each source
// of the trace, threads as its tracks, times from ticks.
#pragma once

#include "decoder/trace/output/text_output.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace pes::trace {

class TimelineWriter {
  public:
    /// `clock_hz`: ticks of the trace in a second. `file` null: nothing may be written.
    TimelineWriter(OutputFile* file, std::uint64_t clock_hz);

    bool wanted() const { return out_.wanted(); }

    /// Where something happens. Viewers show track 0 apart from the others.
    struct Place {
        std::uint16_t source = 0;
        unsigned track = 1;
    };

    void name_process(std::uint16_t source, const std::string& name);
    void name_track(Place place, const std::string& name);

    /// Slices of a track nest, and their times must not go back. What happens in one nanosecond is
    /// written with a nanosecond in between, unless slices end one after the other: speedscope
    /// takes ends before begins of the same time, and then finds no slice to end.
    void begin_slice(Place place, std::uint64_t ticks, const std::string& name,
                     std::string_view category = {});
    /// The name again: some viewers close the slice of that name.
    void end_slice(Place place, std::uint64_t ticks, const std::string& name);
    void mark(Place place, std::uint64_t ticks, const std::string& name);
    /// A value of the counter of this name.
    void count(Place place, std::uint64_t ticks, const std::string& name, std::uint64_t value);

    /// The text is complete then.
    void finish();

  private:
    /// The last begin or end of a slice on a track.
    struct Edge {
        std::uint64_t nanoseconds = 0;
        char phase = 0;
    };

    /// `{"ph":"B","pid":1,"tid":1`, to be closed by the caller.
    void begin(char phase, Place place);
    /// The same with a time.
    void begin(char phase, Place place, std::uint64_t nanoseconds);
    void edge(char phase, Place place, std::uint64_t ticks);
    void name(Place place, const char* what, const std::string& name);
    std::uint64_t nanoseconds(std::uint64_t ticks) const;

    TextOutput out_;
    std::uint64_t clock_hz_;
    std::map<std::pair<std::uint16_t, unsigned>, Edge> edges_;
    bool first_ = true;
};

} // namespace pes::trace
