// SPDX-License-Identifier: Apache-2.0
// One line on a terminal: how much is done, what runs, and how long it will take.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace pes::lab {

/// "12/96 points, ETA 1:20: sort threshold load, hash lcofi cycle"; no ETA before the first is
/// done.
std::string progress_text(std::size_t done, std::size_t total, std::chrono::seconds elapsed,
                          const std::vector<std::string>& running);

class Progress {
  public:
    /// Without a terminal, or if it is `quiet`, nothing is shown.
    explicit Progress(bool quiet);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    void begin(std::size_t total);
    void show(std::size_t done, const std::vector<std::string>& running);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool shown_;
    bool on_screen_ = false;
    std::size_t total_ = 0;
    Clock::time_point start_ = Clock::now();
};

} // namespace pes::lab
