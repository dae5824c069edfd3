// SPDX-License-Identifier: Apache-2.0
// The smallest driver of a virtio device: one request at a time in each of up to two queues of
// eight descriptors, polling or one interrupt through the PLIC. A failed step ends the program with
// its number.
#pragma once

#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "hw/interface/maps/uart.h"
#include "hw/interface/maps/virtio.h"
#include "platform.h"

namespace pes {

class VirtioDriver {
  public:
    constexpr VirtioDriver(uint64_t base, unsigned source) : base_(base), id_(irq::id_of(source)) {}

    /// VIRTIO 1.2, 3.1.1, without features but VIRTIO_F_VERSION_1.
    void start(uint32_t device_id, uint32_t queues = 1) {
        using namespace virtio;
        expect(read(kMagicValue) == kMagic && read(kVersion) == kModern, 1);
        expect(read(kDeviceId) == device_id, 2);
        write(kStatus, kAcknowledge | kDriver);
        write(kDriverFeaturesSel, 1);
        write(kDriverFeatures, 1);
        write(kStatus, kAcknowledge | kDriver | kFeaturesOk);
        expect((read(kStatus) & kFeaturesOk) != 0, 3);
        for (uint32_t number = 0; number < queues; ++number) {
            Queue& queue = queues_[number];
            write(kQueueSel, number);
            expect(read(kQueueNumMax) >= kSize, 4);
            write(kQueueNum, kSize);
            write_address(kQueueDescLow, queue.descriptors);
            write_address(kQueueDriverLow, &queue.available);
            write_address(kQueueDeviceLow, &queue.used);
            write(kQueueReady, 1);
        }
        write(kStatus, kAcknowledge | kDriver | kFeaturesOk | kDriverOk);
        expect((read(kStatus) & kNeedsReset) == 0, 5);
    }
    void enable_interrupt() {
        write_device<uint32_t>(kPlic + plic::kPriority + 4 * id_, 1);
        write_device<uint32_t>(kPlic + plic::kEnable +
                                   plic::kEnableStride * plic::machine_context(0),
                               uint32_t{1} << id_);
        write_device<uint32_t>(kContext + plic::kThreshold, 0);
        set_csr<csr::kMie>(uint64_t{1} << irq::kMachineExternal);
    }
    void interrupt_off(uint32_t queue = 0) {
        queues_[queue].available.flags = virtio::kNoInterrupt;
    }

    /// Sends a request; either part may be empty.
    void ask(const volatile void* request, uint32_t bytes, volatile void* answer, uint32_t room,
             uint32_t number = 0) {
        Queue& queue = queues_[number];
        uint16_t count = 0;
        queue.add(count, request, bytes, 0);
        queue.add(count, answer, room, virtio::kWrite);
        queue.descriptors[count - 1].flags &= static_cast<uint16_t>(~virtio::kNext);
        queue.available.ring[queue.available.index % kSize] = 0;
        asm volatile("fence rw, rw" ::: "memory");
        queue.available.index = static_cast<uint16_t>(queue.available.index + 1);
        asm volatile("fence rw, rw" ::: "memory");
        write(virtio::kQueueNotify, number);
    }
    /// Returns the bytes of the answer.
    uint32_t await_interrupt(uint32_t queue = 0) {
        asm volatile("wfi" ::: "memory"); // interrupts are off: the hart goes on here
        expect(read_device<uint32_t>(kContext + plic::kClaimComplete) == id_, 6);
        acknowledge();
        write_device<uint32_t>(kContext + plic::kClaimComplete, id_);
        return answered(queue);
    }
    uint32_t await_answer(uint32_t queue = 0) {
        while (!finished(queue)) {
        }
        if ((queues_[queue].available.flags & virtio::kNoInterrupt) == 0) {
            while (read(virtio::kInterruptStatus) == 0) {
            }
            acknowledge();
            write_device<uint32_t>(kContext + plic::kClaimComplete,
                                   read_device<uint32_t>(kContext + plic::kClaimComplete));
        }
        return answered(queue);
    }
    bool finished(uint32_t queue = 0) const {
        return queues_[queue].used.index == queues_[queue].available.index;
    }
    uint32_t read(unsigned offset) const { return read_device<uint32_t>(base_ + offset); }
    void write(unsigned offset, uint64_t value) {
        write_device<uint32_t>(base_ + offset, static_cast<uint32_t>(value));
    }

  private:
    static constexpr uint32_t kSize = 8;
    static constexpr uint64_t kPlic = PES_PLIC_BASE;
    static constexpr uint64_t kContext =
        kPlic + plic::kContext + plic::kContextStride * plic::machine_context(0);

    struct Descriptor {
        uint64_t address;
        uint32_t length;
        uint16_t flags;
        uint16_t next;
    };
    struct Available {
        uint16_t flags;
        uint16_t index;
        uint16_t ring[kSize];
    };
    struct Element {
        uint32_t head;
        uint32_t written;
    };
    struct Used {
        uint16_t flags;
        uint16_t index;
        Element ring[kSize];
    };
    struct Queue {
        alignas(16) Descriptor descriptors[kSize]{};
        alignas(4) volatile Available available{};
        alignas(4) volatile Used used{};

        void add(uint16_t& count, const volatile void* buffer, uint32_t bytes, unsigned flags) {
            if (bytes != 0) {
                descriptors[count] = {reinterpret_cast<uint64_t>(buffer), bytes,
                                      static_cast<uint16_t>(flags | virtio::kNext),
                                      static_cast<uint16_t>(count + 1)};
                ++count;
            }
        }
    };

    void write_address(unsigned offset, const volatile void* place) {
        const auto address = reinterpret_cast<uint64_t>(place);
        write(offset, address);
        write(offset + 4, address >> 32);
    }
    void acknowledge() {
        expect(read(virtio::kInterruptStatus) == virtio::kUsedBuffer, 7);
        write(virtio::kInterruptAck, virtio::kUsedBuffer);
    }
    uint32_t answered(uint32_t queue) const {
        asm volatile("fence rw, rw" ::: "memory");
        const volatile Used& used = queues_[queue].used;
        const volatile Element& element = used.ring[(used.index - 1) % kSize];
        expect(finished(queue) && element.head == 0, 8);
        return element.written;
    }

    uint64_t base_;
    uint32_t id_;
    Queue queues_[2]{};
};

inline void put(char letter) {
    write_device<uint8_t>(PES_UART_BASE + uint64_t{uart::kData} * PES_UART_STRIDE,
                          static_cast<uint8_t>(letter));
}

} // namespace pes
