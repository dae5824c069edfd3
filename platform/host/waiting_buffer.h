// SPDX-License-Identifier: Apache-2.0
// Output to what may make a writer wait: a pipe whose reader is slow, a terminal that is stopped.
//
// The wait ends with the run: when the end is asked for (end_request.h), the outputs together wait
// kEndPatience more for readers that take nothing; then writing fails with ETIMEDOUT.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <streambuf>

namespace pes {

inline constexpr std::chrono::milliseconds kEndPatience{250};

class WaitingBuffer : public std::streambuf {
  public:
    /// `descriptor` outlives the buffer.
    explicit WaitingBuffer(int descriptor);

  private:
    int_type overflow(int_type character) override;
    int sync() override;

    bool write_all();
    bool wait_for_room();

    int descriptor_;
    std::array<char, 1 << 16> bytes_;
};

} // namespace pes
