// SPDX-License-Identifier: Apache-2.0
// --gdb of a run.
#pragma once

#include "platform/gdb/server.h"
#include "platform/soc/debug/debug_target.h"
#include "platform/soc/soc.h"

#include <string>

namespace pes {

class RunDebugger {
  public:
    /// Listens. Throws UserError. What is referred to outlives it.
    RunDebugger(const std::string& address, Soc& soc, DebugHooks hooks);

    /// Returns once a debugger is connected, or the run is asked to end.
    void await_client();
    /// A sentence for the user, while the run goes on.
    void tell(const std::string& sentence) { server_.tell(sentence + "\n"); }
    /// Its results are still to be written.
    void run_is_over() { target_.run_is_over(); }
    void run_ended(int code) { server_.exited(code); }

  private:
    gdb::Server server_;
    DebugTarget target_;
};

} // namespace pes
