// SPDX-License-Identifier: Apache-2.0
// Console on the 16550 and the debug-console extension (SBI 3.0, DBCN). Transmission polls: the
// firmware has no use for UART interrupts.
#include "firmware/boot/mmio.h"
#include "firmware/sbi/machine.h"
#include "hw/interface/maps/uart.h"

namespace pes {

namespace {

constexpr uint64_t uart_register(unsigned number) {
    return uint64_t{PES_UART_BASE} + uint64_t{number} * PES_UART_STRIDE;
}

bool line_status(uint8_t bit) {
    return (read_device<uint8_t>(uart_register(uart::kLineStatus)) & bit) != 0;
}

} // namespace

void console_put(char byte) {
    while (!line_status(uart::kLineStatusTransmitEmpty)) {
    }
    write_device<uint8_t>(uart_register(uart::kData), static_cast<uint8_t>(byte));
}

int console_get() {
    if (!line_status(uart::kLineStatusDataReady)) {
        return -1;
    }
    return read_device<uint8_t>(uart_register(uart::kData));
}

sbi::Result console_extension(const sbi::Call& call) {
    const uint64_t* argument = call.argument;
    if (call.function == sbi::console::kWriteByte) {
        console_put(static_cast<char>(argument[0]));
        return {sbi::kSuccess, 0};
    }
    if (call.function > sbi::console::kWriteByte) {
        return kSbiNotSupported;
    }
    // a1, a2: low and high half of the physical address.
    const uint64_t length = argument[0];
    if (argument[2] != 0 || !supervisor_owns(argument[1], length)) {
        return {sbi::kInvalidParam, 0};
    }
    auto* bytes = reinterpret_cast<char*>(argument[1]);
    uint64_t done = 0;
    if (call.function == sbi::console::kWrite) {
        for (; done < length; ++done) {
            console_put(bytes[done]);
        }
    } else {
        for (int byte = 0; done < length && (byte = console_get()) >= 0; ++done) {
            bytes[done] = static_cast<char>(byte);
        }
    }
    return {sbi::kSuccess, done};
}

} // namespace pes
