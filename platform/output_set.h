// SPDX-License-Identifier: Apache-2.0
// The output files of a run: all opened before it starts, all given their names after its end.
#pragma once

#include "platform/output_file.h"

#include <deque>
#include <set>
#include <string>

namespace pes {

class OutputSet {
  public:
    /// Null if `path` is empty: the option was not given. Throws UserError if the file cannot be
    /// written or if two options name it.
    OutputFile* open(const std::string& path);

    /// Throws UserError if anything could not be written.
    void commit();

  private:
    std::deque<OutputFile> files_; ///< addresses are handed out
    std::set<std::filesystem::path> taken_;
};

} // namespace pes
