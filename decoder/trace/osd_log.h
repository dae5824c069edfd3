// SPDX-License-Identifier: Apache-2.0
// The packet file of an Open SoC Debug software trace module -> the lines of that project's host
// log: "0000012c 8000 0000000080001000" (timestamp, id, value) and "Overflow, missed 3 events".
#pragma once

#include "hw/common/trace/osd_packet.h"

#include <functional>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace pes::trace {

class OsdLog {
  public:
    /// Appends a line for each event. Reads to the end of the file or of what has sense.
    void read(std::istream& input, const std::function<void(const std::string&)>& line);

    /// The file has bytes, but nothing in it was an event or an overflow.
    bool holds_no_packet() const { return bytes_ != 0 && events_ + overflows_ == 0; }
    bool flawed() const { return !describe_flaws().empty(); }
    std::vector<std::string> describe_flaws() const;
    std::string summary_text(const std::string& file) const;

  private:
    struct Pending {
        std::array<std::uint16_t, osd::kMostEventWords> words{};
        std::size_t size = 0;
    };

    void take(std::span<const std::uint16_t> packet);
    void append(Pending& pending, std::span<const std::uint16_t> payload);
    void end(Pending& pending);

    const std::function<void(const std::string&)>* line_ = nullptr;
    std::map<std::uint16_t, Pending> pending_; ///< by sender: an event may go on in a next packet
    std::map<std::uint16_t, std::uint64_t> by_id_;
    std::uint64_t bytes_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t overflows_ = 0;
    std::uint64_t missed_ = 0;
    std::uint64_t unknown_packets_ = 0;
    std::uint64_t torn_events_ = 0;
    std::uint64_t truncated_bytes_ = 0;
};

} // namespace pes::trace
