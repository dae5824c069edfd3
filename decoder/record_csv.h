// SPDX-License-Identifier: Apache-2.0
// Sample records as CSV: a line for each, with all that it holds.
#pragma once

#include "platform/profile/record_reader.h"

#include <ostream>

namespace pes {

class RecordCsv {
  public:
    /// Writes the header line.
    explicit RecordCsv(std::ostream& out);

    /// `details` is null for a record of version 1: its columns are empty then.
    void write(const SampleRecord& record, const RecordDetails* details);

  private:
    std::ostream& out_;
};

} // namespace pes
