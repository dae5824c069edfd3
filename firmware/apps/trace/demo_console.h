// SPDX-License-Identifier: Apache-2.0
// The console of the trace demonstrations: what a test compares with the trace.
#pragma once

#include "firmware/boot/mmio.h"
#include "firmware/lib/text.h"
#include "hw/interface/maps/uart.h"
#include "platform.h"

#include <stdint.h>

namespace pes::demo {

/// One line of the console: a word and numbers.
template <typename... Values>
void print_line(const char* word, Values... values) {
    const auto put_byte = [](char byte) {
        write_device<uint8_t>(PES_UART_BASE + uart::kData * PES_UART_STRIDE,
                              static_cast<uint8_t>(byte));
    };
    print(put_byte, word);
    (print(put_byte, " ", static_cast<uint64_t>(values)), ...);
    print(put_byte, "\n");
}

} // namespace pes::demo
