// SPDX-License-Identifier: Apache-2.0
// Files of the host, through the simulator's file service.
#pragma once

#include "firmware/perf/status.h"

#include <stdint.h>

namespace pes::perf {

/// A file that is written from its beginning.
class HostFile {
  public:
    /// An error if there is no file service, or it refuses the name.
    Status create(const char* name);
    Status write(const void* data, uint64_t bytes);
    Status close();

  private:
    int64_t descriptor_ = -1;
};

} // namespace pes::perf
