// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/progress.h"

#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace pes::lab {
namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kUsual = 80;

std::size_t terminal_columns() {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowest;
    return known ? size.ws_col : kUsual;
}

} // namespace

std::string progress_text(std::size_t done, std::size_t total, std::chrono::seconds elapsed,
                          const std::vector<std::string>& running) {
    std::string text = fmt::format("{}/{} points", done, total);
    if (done != 0 && done < total) {
        const auto left =
            elapsed * static_cast<std::int64_t>(total - done) / static_cast<std::int64_t>(done);
        text += fmt::format(", ETA {}:{:02}", left.count() / 60, left.count() % 60);
    }
    for (std::size_t i = 0; i < running.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + running[i];
    }
    return text;
}

Progress::Progress(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    clear();
}

void Progress::begin(std::size_t total) {
    total_ = total;
    start_ = Clock::now();
}

void Progress::show(std::size_t done, const std::vector<std::string>& running) {
    if (!shown_) {
        return;
    }
    const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
    const std::string text = progress_text(done, total_, elapsed, running);
    std::fprintf(stderr, "\r%s\033[K", text.substr(0, terminal_columns() - 1).c_str());
    std::fflush(stderr);
    on_screen_ = true;
}

void Progress::clear() {
    if (on_screen_) {
        std::fputs("\r\033[K", stderr);
        on_screen_ = false;
    }
}

} // namespace pes::lab
