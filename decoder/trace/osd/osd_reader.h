// SPDX-License-Identifier: Apache-2.0
// The packet files of Open SoC Debug software trace modules -> events in the order of time.
#pragma once

#include "hw/interface/trace/osd_packet.h"

#include <deque>
#include <istream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pes::trace {

/// An event, or the report of missed ones.
struct OsdItem {
    std::uint16_t source = 0;            ///< SRC of the packet: which module
    std::uint64_t time = 0;              ///< unwrapped; of a report that of the event before it
    osd::Event event;                    ///< its timestamp is as sent
    std::optional<std::uint16_t> missed; ///< it is a report
};

struct OsdCounts {
    std::uint64_t bytes = 0;
    std::uint64_t events = 0;
    std::uint64_t overflows = 0;
    std::uint64_t missed = 0;
    std::uint64_t unknown_packets = 0;
    std::uint64_t torn_events = 0;
    std::uint64_t truncated_bytes = 0;
};

/// One file. A timestamp has 32 bits: one that is behind that of the event before it, of the same
/// module, is 2^32 later. The first event of a module is in the first 2^32 cycles.
class OsdReader {
  public:
    explicit OsdReader(std::istream& input) : input_(&input) {}

    /// False at the end of the file or of what has sense.
    bool next(OsdItem& item);
    const OsdCounts& counts() const { return counts_; }

  private:
    struct Sender {
        std::array<std::uint16_t, osd::kMostEventWords> words{}; ///< of an event in the making
        std::size_t size = 0;
        std::uint64_t time = 0; ///< of the last event
    };

    bool read_packet();
    bool read_words(std::size_t count);
    void take(std::span<const std::uint16_t> packet);
    void append(std::uint16_t source, Sender& from, std::span<const std::uint16_t> payload);
    void end(std::uint16_t source, Sender& from);

    std::istream* input_;
    std::vector<std::uint16_t> words_;
    std::map<std::uint16_t, Sender> senders_; ///< an event may go on in a later packet
    std::deque<OsdItem> ready_;
    bool ended_ = false;
    OsdCounts counts_;
};

/// Several files of one run, each with modules of its own.
class OsdMerge {
  public:
    /// `names` of the inputs, for messages. All outlive this.
    OsdMerge(const std::vector<std::istream*>& inputs, const std::vector<std::string>& names);

    /// The earliest item of all files. Throws UserError if two files have the same module.
    bool next(OsdItem& item);
    OsdCounts counts() const; ///< of all files

  private:
    struct File {
        OsdReader reader;
        OsdItem item; ///< the next one
        bool more = false;
    };

    void advance(std::size_t file);

    std::vector<File> files_;
    const std::vector<std::string>& names_;
    std::map<std::uint16_t, std::size_t> file_of_; ///< by source
};

} // namespace pes::trace
