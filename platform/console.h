// SPDX-License-Identifier: Apache-2.0
// Where the guest's characters go: UART and HTIF share one stream.
#pragma once

#include "platform/output_file.h"

#include <cstddef>
#include <cstdio>
#include <span>

namespace pes {

class Console {
  public:
    /// `file` null: standard output.
    explicit Console(OutputFile* file = nullptr) : file_(file) {}

    void write(std::span<const std::byte> bytes) {
        if (file_ != nullptr) {
            file_->write(bytes);
        } else {
            std::fwrite(bytes.data(), 1, bytes.size(), stdout);
        }
    }
    void put(char character) { write(std::as_bytes(std::span(&character, 1))); }
    /// Between pieces of a run, so that a person sees the output in time.
    void flush() {
        if (file_ == nullptr) {
            std::fflush(stdout);
        }
    }

  private:
    OutputFile* file_;
};

} // namespace pes
