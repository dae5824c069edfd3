// SPDX-License-Identifier: Apache-2.0
// A command that runs beside this process: in a process group of its own, so that the terminal's
// signals reach this process alone, and ended by the kernel if this process ends first.
#pragma once

#include "platform/host/file_descriptor.h"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace pes::lab {

class ChildProcess {
  public:
    /// Its standard output goes nowhere, its error stream into a file. Throws UserError if it
    /// cannot be started.
    ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& errors);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess(); ///< ends it if it still runs

    /// Readable when it has ended: for poll().
    int descriptor() const { return descriptor_->get(); }
    /// Its exit code, or 128 and the signal that ended it; none while it runs.
    std::optional<int> exit_code();

  private:
    pid_t process_ = -1;
    std::optional<FileDescriptor> descriptor_;
};

} // namespace pes::lab
