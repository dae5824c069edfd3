// SPDX-License-Identifier: Apache-2.0
// Where the guest's characters go: UART and HTIF share one stream.
#pragma once

#include "platform/host/output_file.h"
#include "platform/soc/guest/console_line.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>

namespace pes {

class Console {
  public:
    explicit Console(OutputFile& file) : to_(&file) {}
    explicit Console(ConsoleLine& line) : to_(&line) {}

    void write(std::span<const std::byte> bytes) {
        std::visit([bytes](auto* to) { to->write(bytes); }, to_);
    }
    void put(char character) {
        std::visit([character](auto* to) { to->write(std::string_view(&character, 1)); }, to_);
    }
    /// Between pieces of a run, so that a person sees the output in time.
    void flush() {
        std::visit([](auto* to) { to->flush(); }, to_);
    }

  private:
    std::variant<OutputFile*, ConsoleLine*> to_;
};

} // namespace pes
