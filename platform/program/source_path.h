// SPDX-License-Identifier: Apache-2.0
// Where source files are on this machine, which debug information names as the compiler knew them.
#pragma once

#include <string>
#include <vector>

namespace pes {

class SourcePath {
  public:
    SourcePath() = default;
    /// Directories of --source-path, the first one first. Throws UserError for what is none.
    explicit SourcePath(std::vector<std::string> directories);

    /// The file of a name: an absolute name that exists, else what is below a directory under the
    /// name without a leading `/`, or without its first folder, its first two, and so on; failing
    /// that, the name itself.
    std::string find(const std::string& name) const;

  private:
    std::vector<std::string> directories_;
};

} // namespace pes
