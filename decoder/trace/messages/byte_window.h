// SPDX-License-Identifier: Apache-2.0
// The bytes of a trace file through a window that moves over them, whatever the length of the file.
#pragma once

#include "hw/interface/trace/crc32.h"

#include <cstdint>
#include <istream>
#include <span>
#include <vector>

namespace pes::trace {

class ByteWindow {
  public:
    explicit ByteWindow(std::istream& input);

    /// Adds all bytes of the stream, as they are read, to `sum`.
    void add_bytes_to(Crc32& sum) { sum_ = &sum; }

    /// At least so many bytes, unless the file ends before. `least` is small.
    std::span<const std::uint8_t> fill(std::size_t least);
    void take(std::uint64_t bytes);

    std::uint64_t offset() const { return offset_; } ///< of what fill() gives

  private:
    std::istream& input_;
    Crc32* sum_ = nullptr;
    std::vector<std::uint8_t> window_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t offset_ = 0;
};

} // namespace pes::trace
