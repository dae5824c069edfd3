// SPDX-License-Identifier: Apache-2.0
// Asks the entropy device for numbers and sends them to the console: by interrupts, between which
// the hart sleeps, and by polling. A write of the device ends a reservation. The exit code says
// which step failed.
#include "tests/guest/bare/virtio_driver.h"

namespace pes {

namespace {

constexpr uint32_t kRequests = 20;

constinit VirtioDriver driver(ENTROPY_BASE, irq::kEntropySource);
alignas(8) volatile uint8_t numbers[64];

void show(uint32_t bytes) {
    for (uint32_t index = 0; index < bytes; ++index) {
        put("0123456789abcdef"[numbers[index] >> 4]);
        put("0123456789abcdef"[numbers[index] & 15]);
    }
    put('\n');
}

void lose_reservation() {
    driver.interrupt_off();
    uint64_t old;
    driver.ask(nullptr, 0, numbers, 8);
    asm volatile("lr.d %0, (%1)" : "=&r"(old) : "r"(numbers) : "memory");
    while (!driver.finished()) {
    }
    uint64_t failed;
    asm volatile("sc.d %0, %1, (%2)" : "=&r"(failed) : "r"(old), "r"(numbers) : "memory");
    expect(failed != 0, 10);
    expect(driver.read(virtio::kInterruptStatus) == 0, 11);
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    driver.start(virtio::kEntropyDevice);
    driver.enable_interrupt();
    for (uint32_t request = 0; request < kRequests; ++request) {
        const uint32_t bytes = 8 + request;
        driver.ask(nullptr, 0, numbers, bytes);
        expect((request % 2 == 0 ? driver.await_interrupt() : driver.await_answer()) == bytes, 9);
        show(bytes);
    }
    lose_reservation();
    return 0;
}
