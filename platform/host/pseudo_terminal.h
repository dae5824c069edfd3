// SPDX-License-Identifier: Apache-2.0
// A pseudo-terminal (pty(7)) whose other end is for programs that open terminals by name.
#pragma once

#include "platform/host/file_descriptor.h"

#include <cstddef>
#include <optional>
#include <string>

namespace pes {

class PseudoTerminal {
  public:
    /// Bytes pass unchanged. Throws UserError, whose sentence begins with `title`.
    explicit PseudoTerminal(const std::string& title);

    /// What others open.
    const std::string& name() const { return name_; }
    /// Of this end. Reading and writing do not wait.
    int descriptor() const { return own_->get(); }
    /// Somebody has the other end open.
    bool attached() const;
    /// Bytes that have been written here and nobody has read.
    std::size_t unread() const;

  private:
    std::optional<FileDescriptor> own_;
    std::string name_;
};

} // namespace pes
