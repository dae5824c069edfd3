// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/byte_window.h"

#include <cstring>

namespace pes::trace {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{256} * 1024;

} // namespace

ByteWindow::ByteWindow(std::istream& input) : input_(input), window_(kWindowBytes) {}

std::span<const std::uint8_t> ByteWindow::fill(std::size_t least) {
    if (end_ - begin_ < least && input_) {
        std::memmove(window_.data(), window_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        input_.read(reinterpret_cast<char*>(window_.data()) + end_,
                    static_cast<std::streamsize>(window_.size() - end_));
        const auto more = static_cast<std::size_t>(input_.gcount());
        if (sum_ != nullptr) {
            sum_->add(window_.data() + end_, more);
        }
        end_ += more;
    }
    return {window_.data() + begin_, end_ - begin_};
}

void ByteWindow::take(std::uint64_t bytes) {
    begin_ += bytes;
    offset_ += bytes;
}

} // namespace pes::trace
