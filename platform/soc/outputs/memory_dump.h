// SPDX-License-Identifier: Apache-2.0
// --dump SYMBOL[:BYTES]@FILE: the memory of a symbol at the end of a run.
#pragma once

#include "hw/core/hart_config.h"
#include "platform/boot/boot.h"
#include "platform/host/output_set.h"
#include "platform/soc/guest/guest_memory.h"

#include <string>

namespace pes {

class MemoryDump {
  public:
    /// Throws UserError: bad syntax, unknown symbol, unknown size, outside `memory`, unwritable
    /// file.
    MemoryDump(const std::string& request, const BootImage& boot, const MemoryRange& memory,
               OutputSet& outputs);

    void write(const GuestMemory& memory) const;

  private:
    SymbolPlace place_;
    OutputFile* file_;
};

} // namespace pes
