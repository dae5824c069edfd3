// SPDX-License-Identifier: Apache-2.0
// What the platform says about its guest, on the standard error stream.
#pragma once

#include "platform/host/collapsing_sink.h"

#include <memory>
#include <string>

namespace pes {

/// Log of a run: from here on the loggers of all modules write to it.
class GuestLog {
  public:
    /// Messages below `level` are not made. What goes to the standard error stream begins with
    /// `program`.
    GuestLog(const std::string& program, const std::string& level);

    void tell_repetitions() { sink_->tell_repetitions(); }

  private:
    std::shared_ptr<CollapsingSink> sink_;
};

} // namespace pes
