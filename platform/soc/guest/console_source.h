// SPDX-License-Identifier: Apache-2.0
// Where the characters come from that the guest reads from its console. A file is read before the
// run, so that the guest alone decides when a byte arrives. A terminal, a pipe or a line has bytes
// when somebody has written them; a guest that waits for them gets ahead of the host's time by a
// moment only.
#pragma once

#include "hw/common/device/console_input.h"
#include "platform/soc/guest/console_line.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace pes {

class ConsoleSource : public ConsoleInput {
  public:
    /// Between pieces of a run: the guest may not read at all, and the user still wants to end it.
    virtual void look() {}
    /// Whether it depends on the host when there is something.
    virtual bool is_live() const { return false; }
    /// Whether somebody types.
    virtual bool is_terminal() const { return false; }
    /// Bytes that the guest's device has got.
    virtual std::uint64_t taken() const = 0;
};

/// Opens the file, or the standard input if `path` is "-"; null if it is empty. `about_to_look` is
/// called before each look at a terminal or a pipe: what the guest has written should be seen then.
/// Throws UserError.
std::unique_ptr<ConsoleSource> open_console_source(const std::string& path,
                                                   std::function<void()> about_to_look);

/// What comes over the line, which must outlive it. No key means anything to this program.
std::unique_ptr<ConsoleSource> source_of(ConsoleLine& line);

/// The keys of a terminal: Ctrl-A is a prefix.
class EscapeKeys {
  public:
    enum class Key : unsigned char {
        Data,  ///< for the guest
        Taken, ///< for nobody
        End,   ///< Ctrl-A x: the user ends the run
    };
    Key press(char key);

  private:
    bool prefixed_ = false;
};

} // namespace pes
