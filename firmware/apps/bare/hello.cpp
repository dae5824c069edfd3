// SPDX-License-Identifier: Apache-2.0
// One line on the UART.
#include "firmware/boot/mmio.h"
#include "firmware/lib/text.h"
#include "hw/interface/maps/uart.h"
#include "platform.h"

int main() {
    using namespace pes;
    constexpr auto kRegister = [](unsigned number) {
        return uint64_t{PES_UART_BASE} + uint64_t{number} * PES_UART_STRIDE;
    };
    const auto uart_put = [kRegister](char byte) {
        while ((read_device<uint8_t>(kRegister(uart::kLineStatus)) &
                uart::kLineStatusTransmitEmpty) == 0) {
        }
        write_device<uint8_t>(kRegister(uart::kData), static_cast<uint8_t>(byte));
    };
    print(uart_put, "hello from hart 0\n");
    return 0;
}
