// SPDX-License-Identifier: Apache-2.0
// Sends back what comes in on the UART: the first line by polling, the rest by interrupts through
// the PLIC, between which the hart sleeps. Ctrl-D ends it.
#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "hw/interface/maps/uart.h"
#include "platform.h"

namespace pes {

namespace {

constexpr uint8_t kEndOfText = 0x04;
constexpr uint64_t kMachineExternal = uint64_t{1} << irq::kMachineExternal;
constexpr uint64_t kPlic = PES_PLIC_BASE;
constexpr uint64_t kContext =
    kPlic + plic::kContext + plic::kContextStride * plic::machine_context(0);
constexpr uint32_t kId = irq::id_of(irq::kUartSource);

constexpr uint64_t uart_register(unsigned number) {
    return uint64_t{PES_UART_BASE} + uint64_t{number} * PES_UART_STRIDE;
}

bool ready() {
    return (read_device<uint8_t>(uart_register(uart::kLineStatus)) & uart::kLineStatusDataReady) !=
           0;
}

uint8_t take() {
    return read_device<uint8_t>(uart_register(uart::kData));
}

void put(uint8_t byte) {
    write_device<uint8_t>(uart_register(uart::kData), byte);
}

void echo_by_polling() {
    uint8_t byte = 0;
    while (byte != '\n') {
        while (!ready()) {
        }
        byte = take();
        put(byte);
    }
}

void enable_interrupt() {
    write_device<uint32_t>(kPlic + plic::kPriority + 4 * kId, 1);
    write_device<uint32_t>(kPlic + plic::kEnable + plic::kEnableStride * plic::machine_context(0),
                           uint32_t{1} << kId);
    write_device<uint32_t>(kContext + plic::kThreshold, 0);
    set_csr<csr::kMie>(kMachineExternal);
    write_device<uint8_t>(uart_register(uart::kInterruptId), 0x07); // FIFOs on and empty
    write_device<uint8_t>(uart_register(uart::kInterruptEnable), 0x01);
}

/// Returns false after Ctrl-D.
bool echo_of_interrupt() {
    asm volatile("wfi" ::: "memory"); // interrupts are off: the hart goes on here
    expect(read_device<uint32_t>(kContext + plic::kClaimComplete) == kId, 1);
    expect(read_device<uint8_t>(uart_register(uart::kInterruptId)) == 0xC4, 2);
    expect(ready(), 3);
    while (ready()) {
        const uint8_t byte = take();
        if (byte == kEndOfText) {
            return false;
        }
        put(byte);
    }
    expect(read_device<uint8_t>(uart_register(uart::kInterruptId)) == 0xC1, 4);
    write_device<uint32_t>(kContext + plic::kClaimComplete, kId);
    return true;
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    echo_by_polling();
    enable_interrupt();
    while (echo_of_interrupt()) {
    }
    return 0;
}
