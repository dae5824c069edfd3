// SPDX-License-Identifier: Apache-2.0
// Greets on the virtio console by emergency writes, before the device is set up, then sends back
// what comes in. Ctrl-D ends it. The exit code says which step failed.
#include "tests/guest/bare/virtio_driver.h"

namespace pes {

namespace {

constexpr char kEndOfText = 0x04;

constinit VirtioDriver driver(VIRTIO_CONSOLE_BASE, irq::kVirtioConsoleSource);
volatile char line[64];

void greet() {
    for (const char* letter = "early\n"; *letter != 0; ++letter) {
        driver.write(virtio::kConfig + virtio::kConsoleEmergencyField,
                     static_cast<uint8_t>(*letter));
    }
}

void send(uint32_t bytes) {
    driver.ask(line, bytes, nullptr, 0, virtio::kConsoleTransmitQueue);
    expect(driver.await_answer(virtio::kConsoleTransmitQueue) == 0, 10);
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    greet();
    driver.start(virtio::kConsoleDevice, 2);
    driver.enable_interrupt();
    driver.interrupt_off(virtio::kConsoleTransmitQueue);
    for (;;) {
        driver.ask(nullptr, 0, line, sizeof line, virtio::kConsoleReceiveQueue);
        const uint32_t bytes = driver.await_interrupt(virtio::kConsoleReceiveQueue);
        expect(bytes > 0 && bytes <= sizeof line, 11);
        if (line[bytes - 1] == kEndOfText) {
            return 0;
        }
        send(bytes);
    }
}
