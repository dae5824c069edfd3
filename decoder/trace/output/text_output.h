// SPDX-License-Identifier: Apache-2.0
// Text for an output file, if it was asked for, handed over in blocks.
#pragma once

#include "platform/host/output_file.h"

#include <string>

namespace pes::trace {

class TextOutput {
  public:
    explicit TextOutput(OutputFile* file) : file_(file) {}

    bool wanted() const { return file_ != nullptr; }
    std::string& text() { return text_; }

    void flush_blocks() {
        if (text_.size() >= kBlock) {
            flush();
        }
    }
    void flush() {
        if (wanted()) {
            file_->write(text_);
            text_.clear();
        }
    }

  private:
    static constexpr std::size_t kBlock = std::size_t{64} * 1024;

    OutputFile* file_;
    std::string text_;
};

} // namespace pes::trace
