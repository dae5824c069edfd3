// SPDX-License-Identifier: Apache-2.0
// The directory of results, made if it is not there, for one process at a time.
#pragma once

#include "platform/host/file_descriptor.h"

#include <filesystem>

namespace pes::lab {

class DirectoryLock {
  public:
    /// Throws UserError if the directory cannot be made, or another process has it.
    explicit DirectoryLock(const std::filesystem::path& directory);

  private:
    FileDescriptor file_;
};

} // namespace pes::lab
