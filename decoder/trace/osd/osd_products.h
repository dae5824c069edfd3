// SPDX-License-Identifier: Apache-2.0
// What is made of the events of software trace modules: text, CSV, JSON lines, timeline, CTF.
#pragma once

#include "decoder/trace/osd/osd_story.h"
#include "decoder/trace/output/ctf_writer.h"
#include "decoder/trace/output/text_output.h"
#include "decoder/trace/output/timeline_writer.h"

#include <memory>
#include <set>

namespace pes::trace {

struct OsdOptions {
    std::string log;       ///< path, "-" = standard output, empty = none; the same for the others
    std::string itc_print; ///< the lines of text
    std::string csv;
    std::string json_lines;
    std::string timeline;
    bool ctf = false;
    std::string directory; ///< of ctf; empty = beside the trace
    unsigned text_id = osd::kPrintId;
    std::uint64_t clock_hz = 1'000'000'000;
};

class OsdProducts {
  public:
    /// `trace_files`: the first one names what --ctf writes. Opens its files in `files`.
    OsdProducts(const OsdOptions& options, const std::vector<std::string>& trace_files,
                OutputSet& files);

    /// In the order of time.
    void add(const OsdItem& item);
    void finish();

    /// A sentence for each product that came out empty.
    std::vector<std::string> notes() const;

  private:
    /// A thread that a hart runs, from the switch to it on.
    struct Slice {
        std::uint64_t thread = 0;
        std::uint64_t begin = 0;
    };
    /// Of the timeline.
    enum class Track : std::uint8_t { Threads = 1, Text, Events };

    void add(const SoftwareEvent& event);
    void add_text(const SoftwareEvent& event);
    void add_csv(const SoftwareEvent& event);
    void add_json(const SoftwareEvent& event);
    void add_timeline(const SoftwareEvent& event);
    void add_ctf(const SoftwareEvent& event);
    /// Names the tracks of a source when it first has one.
    TimelineWriter::Place place_of(std::uint16_t source, Track track);
    void end_slice(std::uint16_t source, std::uint64_t time);

    OsdOptions options_;
    bool several_files_;
    OsdStory story_;
    TextOutput log_;
    TextOutput text_;
    TextOutput csv_;
    TextOutput json_;
    TimelineWriter timeline_;
    std::unique_ptr<CtfWriter> ctf_;
    std::map<std::uint16_t, Slice> slices_; ///< by source: what it runs
    std::set<std::uint16_t> named_;         ///< sources whose tracks have names
    std::uint64_t last_time_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t items_ = 0;
    std::uint64_t lines_ = 0;
};

} // namespace pes::trace
