// SPDX-License-Identifier: Apache-2.0
// Files of a trace in the Common Trace Format 1.8, for Trace Compass and Babeltrace:
//
//   ctf/metadata               what is in the streams
//   ctf/<name>_<source>.ctf    a stream for each source
//
// What the events are is their maker's business. The trace says that it comes from LTTng-UST 2.11,
// because Trace Compass opens its Flame Chart and Flame Graph for events of that tracer.
#pragma once

#include "decoder/trace/records/perf_stream.h"
#include "platform/host/output_set.h"

#include <map>
#include <span>
#include <string>
#include <type_traits>

namespace pes::trace {

struct CtfNames {
    std::string base;  ///< of the streams
    std::string trace; ///< path of what is converted, "-" if it has none: tells traces apart
};

/// An event with its fields in the metadata language; its number is its place in the list.
struct CtfEventType {
    const char* name;
    unsigned loglevel;
    const char* fields;
};

class CtfWriter {
  public:
    /// Makes `directory`/ctf. Throws UserError if it holds another trace: readers would take the
    /// streams of both for one. `clock_hz`: ticks of the trace in a second; `events`: all
    /// that will be written.
    CtfWriter(OutputSet& files, const std::filesystem::path& directory, CtfNames names,
              std::uint64_t clock_hz, std::span<const CtfEventType> events);

    /// Begins an event; its fields are to be put behind it. An unknown time is that of the event
    /// before.
    std::string& event(std::uint16_t source, unsigned id, TraceTime time);
    /// Counts events that are missing from the stream.
    void discard(std::uint16_t source, std::uint64_t events);
    bool has(std::uint16_t source) const { return streams_.contains(source); }
    bool empty() const { return streams_.empty(); }

    /// Throws UserError if a stream is left over from an earlier run on the same trace.
    void finish();

  private:
    /// Of one source: a packet in the making.
    struct Stream {
        OutputFile* file = nullptr;
        std::string events;
        std::uint64_t time = 0; ///< of the latest event
        std::uint64_t begin = 0;
        std::uint64_t packets = 0;
        std::uint64_t discarded = 0;
    };

    std::filesystem::path path_of(std::uint16_t source) const;
    void require_no_other_trace() const;
    Stream& stream(std::uint16_t source);
    void flush_packet(std::uint16_t source, Stream& from);

    OutputSet& files_;
    std::filesystem::path directory_;
    CtfNames names_;
    std::string uuid_;
    std::map<std::uint16_t, Stream> streams_;
};

/// Appends a field of an event.
template <typename Integer>
void put_ctf(std::string& bytes, Integer value) {
    static_assert(std::is_unsigned_v<Integer>);
    for (std::size_t byte = 0; byte < sizeof value; ++byte) {
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte));
    }
}

} // namespace pes::trace
