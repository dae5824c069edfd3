// SPDX-License-Identifier: Apache-2.0
// Events of software trace modules as the lines of that project's host log, and in sum:
// "0000012c 8000 0000000080001000" (timestamp, id, value) and "Overflow, missed 3 events".
#pragma once

#include "decoder/trace/osd/osd_reader.h"

namespace pes::trace {

/// With its line feed.
std::string osd_log_line(const OsdItem& item);

/// What the ids mean, and how many events of each there were.
class OsdSummary {
  public:
    void add(const OsdItem& item);

    std::string text(const std::string& file, const OsdCounts& counts) const;

  private:
    std::map<std::uint16_t, std::uint64_t> by_id_;
};

/// One line each; empty if nothing is wrong.
std::vector<std::string> describe_flaws(const OsdCounts& counts);

} // namespace pes::trace
