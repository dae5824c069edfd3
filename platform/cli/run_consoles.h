// SPDX-License-Identifier: Apache-2.0
// The consoles of a run: that of UART and HTIF, and that of the virtio device. Each writes into a
// file, or is at a line to another program, which is its input too.
#pragma once

#include "platform/cli/options.h"
#include "platform/host/output_set.h"
#include "platform/soc/guest/console.h"
#include "platform/soc/guest/console_line.h"
#include "platform/soc/guest/console_source.h"
#include "platform/soc/soc.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace pes {

class RunConsoles {
  public:
    /// Opens all that is named. Throws UserError.
    RunConsoles(const Options& options, OutputSet& outputs);

    /// Of UART and HTIF.
    Console& main() { return *main_.console; }
    const ConsoleSource* main_input() const { return main_.input.get(); }
    void connect(HostSide& side);

    /// Before the run: says where lines are, and returns once the clients of sockets are there or
    /// the run is asked to end.
    void await_clients();
    void flush();
    /// Between pieces of the run: output goes out, and input is seen.
    void look();
    /// Whether somebody types on the terminal of this program.
    bool has_terminal() const;
    /// Whether what comes in depends on the host, at one of them.
    bool is_live() const;
    /// After the run: waits for the readers of lines, and tells what they have not got.
    void finish_lines();

  private:
    struct End {
        std::optional<ConsoleLine> line{};
        std::optional<Console> console{};       ///< none: it is not wanted
        std::unique_ptr<ConsoleSource> input{}; ///< null: nothing comes in
    };

    static void open(End& end, const std::string& option, const std::string& name,
                     OutputSet& outputs);
    std::array<End*, 2> ends() { return {&main_, &virtio_}; }
    std::array<const End*, 2> ends() const { return {&main_, &virtio_}; }

    End main_;
    End virtio_;
};

} // namespace pes
