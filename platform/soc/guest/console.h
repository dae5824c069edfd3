// SPDX-License-Identifier: Apache-2.0
// Where the guest's characters go: UART and HTIF share one stream.
#pragma once

#include "platform/host/output_file.h"

#include <cstddef>
#include <span>

namespace pes {

class Console {
  public:
    explicit Console(OutputFile& file) : file_(file) {}

    void write(std::span<const std::byte> bytes) { file_.write(bytes); }
    void put(char character) { file_.write({&character, 1}); }
    /// Between pieces of a run, so that a person sees the output in time.
    void flush() { file_.flush(); }

  private:
    OutputFile& file_;
};

} // namespace pes
