// SPDX-License-Identifier: Apache-2.0
// Asks the entropy device for numbers and sends them to the console: by polling, and by interrupts
// between which the hart sleeps. A write of the device ends a reservation. The exit code says which
// step failed.
#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "hw/interface/maps/uart.h"
#include "hw/interface/maps/virtio.h"
#include "platform.h"

namespace pes {

namespace {

constexpr uint32_t kSize = 8; // of the queue
constexpr uint32_t kRequests = 20;
constexpr uint64_t kPlic = PES_PLIC_BASE;
constexpr uint64_t kContext =
    kPlic + plic::kContext + plic::kContextStride * plic::machine_context(0);
constexpr uint32_t kId = irq::id_of(irq::kEntropySource);

struct Descriptor {
    uint64_t address;
    uint32_t length;
    uint16_t flags;
    uint16_t next;
};
struct Used {
    uint32_t head;
    uint32_t written;
};

alignas(16) Descriptor descriptors[kSize];
alignas(4) volatile uint16_t available[2 + kSize];
struct {
    volatile uint16_t flags;
    volatile uint16_t index;
    volatile Used elements[kSize];
} used;
alignas(8) volatile uint8_t numbers[64];

uint32_t read(unsigned offset) {
    return read_device<uint32_t>(ENTROPY_BASE + offset);
}

void write(unsigned offset, uint64_t value) {
    write_device<uint32_t>(ENTROPY_BASE + offset, static_cast<uint32_t>(value));
}

void write_address(unsigned offset, const volatile void* place) {
    const auto address = reinterpret_cast<uint64_t>(place);
    write(offset, address);
    write(offset + 4, address >> 32);
}

void start() {
    using namespace virtio;
    expect(read(kMagicValue) == kMagic && read(kVersion) == kModern, 1);
    expect(read(kDeviceId) == kEntropyDevice, 2);
    write(kStatus, kAcknowledge | kDriver);
    write(kDriverFeaturesSel, 1);
    write(kDriverFeatures, 1); // VIRTIO_F_VERSION_1
    write(kStatus, kAcknowledge | kDriver | kFeaturesOk);
    expect((read(kStatus) & kFeaturesOk) != 0, 3);
    write(kQueueSel, 0);
    expect(read(kQueueNumMax) >= kSize, 4);
    write(kQueueNum, kSize);
    write_address(kQueueDescLow, descriptors);
    write_address(kQueueDriverLow, available);
    write_address(kQueueDeviceLow, &used);
    write(kQueueReady, 1);
    write(kStatus, kAcknowledge | kDriver | kFeaturesOk | kDriverOk);
    expect((read(kStatus) & kNeedsReset) == 0, 5);
}

void enable_interrupt() {
    write_device<uint32_t>(kPlic + plic::kPriority + 4 * kId, 1);
    write_device<uint32_t>(kPlic + plic::kEnable + plic::kEnableStride * plic::machine_context(0),
                           uint32_t{1} << kId);
    write_device<uint32_t>(kContext + plic::kThreshold, 0);
    set_csr<csr::kMie>(uint64_t{1} << irq::kMachineExternal);
}

void ask(uint32_t bytes) {
    descriptors[0] = {reinterpret_cast<uint64_t>(numbers), bytes, virtio::kWrite, 0};
    const uint16_t index = available[1];
    available[2 + index % kSize] = 0;
    asm volatile("fence rw, rw" ::: "memory");
    available[1] = static_cast<uint16_t>(index + 1);
    asm volatile("fence rw, rw" ::: "memory");
    write(virtio::kQueueNotify, 0);
}

void await_interrupt() {
    asm volatile("wfi" ::: "memory"); // interrupts are off: the hart goes on here
    expect(read_device<uint32_t>(kContext + plic::kClaimComplete) == kId, 6);
    expect(read(virtio::kInterruptStatus) == virtio::kUsedBuffer, 7);
    write(virtio::kInterruptAck, virtio::kUsedBuffer);
    write_device<uint32_t>(kContext + plic::kClaimComplete, kId);
}

void await_index(uint16_t index) {
    while (used.index != index) {
    }
    while (read(virtio::kInterruptStatus) == 0) {
    }
    write(virtio::kInterruptAck, virtio::kUsedBuffer);
}

void put(char letter) {
    write_device<uint8_t>(PES_UART_BASE + uint64_t{uart::kData} * PES_UART_STRIDE,
                          static_cast<uint8_t>(letter));
}

void show(uint32_t bytes) {
    for (uint32_t index = 0; index < bytes; ++index) {
        put("0123456789abcdef"[numbers[index] >> 4]);
        put("0123456789abcdef"[numbers[index] & 15]);
    }
    put('\n');
}

void lose_reservation(uint16_t index) {
    available[0] = virtio::kNoInterrupt;
    uint64_t old;
    ask(8);
    asm volatile("lr.d %0, (%1)" : "=&r"(old) : "r"(numbers) : "memory");
    while (used.index != index) {
    }
    uint64_t failed;
    asm volatile("sc.d %0, %1, (%2)" : "=&r"(failed) : "r"(old), "r"(numbers) : "memory");
    expect(failed != 0, 9);
    expect(read(virtio::kInterruptStatus) == 0, 10);
}

} // namespace

} // namespace pes

int main(int hart) {
    using namespace pes;
    if (hart != 0) {
        return 0;
    }
    start();
    enable_interrupt();
    for (uint32_t request = 0; request < kRequests; ++request) {
        const uint32_t bytes = 8 + request;
        ask(bytes);
        if (request % 2 == 0) {
            await_interrupt();
        } else {
            await_index(static_cast<uint16_t>(request + 1));
            write_device<uint32_t>(kContext + plic::kClaimComplete,
                                   read_device<uint32_t>(kContext + plic::kClaimComplete));
        }
        const volatile Used& element = used.elements[request % kSize];
        expect(used.index == request + 1 && element.head == 0 && element.written == bytes, 8);
        show(bytes);
    }
    lose_reservation(kRequests + 1);
    return 0;
}
