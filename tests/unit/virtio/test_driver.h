// SPDX-License-Identifier: Apache-2.0
// Memory, a device and the smallest driver for it.
#pragma once

#include "hw/common/device/device_memory.h"
#include "hw/interface/maps/virtio.h"
#include "hw/virtio/virtio_mmio.h"
#include "tests/unit/common/level_recorder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pes::test {

inline constexpr Address kMemoryBase = 0x8000'0000;

class TestMemory : public DeviceMemory {
  public:
    explicit TestMemory(std::size_t size = 0x10000) : bytes(size) {}

    bool has(Address address, std::uint64_t length) const override {
        return address >= kMemoryBase && address - kMemoryBase <= bytes.size() &&
               length <= bytes.size() - (address - kMemoryBase);
    }
    bool read(Address from, std::span<std::byte> to, Cycle) override {
        if (has(from, to.size())) {
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from - kMemoryBase), to.size(),
                        to.begin());
        }
        return has(from, to.size());
    }
    bool write(Address to, std::span<const std::byte> from, Cycle) override {
        if (has(to, from.size())) {
            std::ranges::copy(from, bytes.begin() + static_cast<std::ptrdiff_t>(to - kMemoryBase));
        }
        return has(to, from.size());
    }

    template <typename Value>
    void put(Address address, Value value) {
        ASSERT_TRUE(write(address, std::as_bytes(std::span(&value, 1)), 0));
    }
    template <typename Value>
    Value get(Address address) {
        Value value{};
        EXPECT_TRUE(read(address, std::as_writable_bytes(std::span(&value, 1)), 0));
        return value;
    }
    std::string text(Address address, std::size_t length) {
        std::string text(length, ' ');
        EXPECT_TRUE(read(address, std::as_writable_bytes(std::span(text)), 0));
        return text;
    }

    std::vector<std::byte> bytes;
};

/// Answers with the bytes of the request, each plus one; has two features and three fields.
class TestFunction : public VirtioFunction {
  public:
    std::uint32_t device_id() const override { return 42; }
    std::uint64_t features() const override { return 0b101; }
    std::uint32_t queue_size() const override { return 8; }
    std::vector<ConfigField> config() const override {
        return {{"long", 0, 8, 0x1122'3344'5566'7788}, {"short", 8, 2, 0x99AA}, {"byte", 10, 1, 7}};
    }
    std::size_t serve(unsigned /*queue*/, std::span<const std::byte> request,
                      std::span<std::byte> reply) override {
        ++requests;
        const std::size_t bytes = std::min(request.size(), reply.size());
        for (std::size_t index = 0; index < bytes; ++index) {
            reply[index] = static_cast<std::byte>(std::to_integer<unsigned>(request[index]) + 1);
        }
        return bytes;
    }
    void reset() override { ++resets; }

    unsigned requests = 0;
    unsigned resets = 0;
};

class TestDriver {
  public:
    static constexpr Address kDescriptors = kMemoryBase + 0x1000;
    static constexpr Address kAvailable = kMemoryBase + 0x2000;
    static constexpr Address kUsed = kMemoryBase + 0x3000;
    static constexpr Address kBuffers = kMemoryBase + 0x4000;
    static constexpr unsigned kSize = 8;
    static constexpr Address kNextQueue = 0x800; ///< from each part of a queue to the next queue's

    explicit TestDriver(std::unique_ptr<VirtioFunction> function, const VirtioConfig& config = {})
        : device("test", config, memory, std::move(function)) {
        device.connect(interrupt);
    }

    std::uint32_t read(unsigned offset, Cycle at = 0, unsigned size = 4) {
        std::uint64_t value = 0;
        EXPECT_EQ(device.registers().read(offset, size, value, at), AccessStatus::Ok) << offset;
        return static_cast<std::uint32_t>(value);
    }
    void write(unsigned offset, std::uint32_t value, Cycle at = 0) {
        EXPECT_EQ(device.registers().write(offset, 4, value, at), AccessStatus::Ok) << offset;
    }

    /// Steps 1 to 6 of 3.1.1.
    void negotiate(std::uint64_t features = std::uint64_t{1} << virtio::kVersion1) {
        write(virtio::kStatus, 0);
        write(virtio::kStatus, virtio::kAcknowledge);
        write(virtio::kStatus, virtio::kAcknowledge | virtio::kDriver);
        for (unsigned word = 0; word < 2; ++word) {
            write(virtio::kDriverFeaturesSel, word);
            write(virtio::kDriverFeatures, static_cast<std::uint32_t>(features >> 32 * word));
        }
        write(virtio::kStatus, read(virtio::kStatus) | virtio::kFeaturesOk);
    }
    /// Steps 7 and 8.
    void start_queue(unsigned size = kSize) {
        make_ready(0, size);
        write(virtio::kStatus, read(virtio::kStatus) | virtio::kDriverOk);
    }
    void make_ready(unsigned queue, unsigned size = kSize) {
        write(virtio::kQueueSel, queue);
        write(virtio::kQueueNum, size);
        const std::pair<unsigned, Address> places[] = {{virtio::kQueueDescLow, kDescriptors},
                                                       {virtio::kQueueDriverLow, kAvailable},
                                                       {virtio::kQueueDeviceLow, kUsed}};
        for (const auto& [offset, address] : places) {
            write(offset, static_cast<std::uint32_t>(address + queue * kNextQueue));
            write(offset + 4, static_cast<std::uint32_t>(address >> 32));
        }
        write(virtio::kQueueReady, 1);
    }
    void start(std::uint64_t features = std::uint64_t{1} << virtio::kVersion1) {
        negotiate(features);
        start_queue();
    }

    void descriptor(unsigned number, Address address, std::uint32_t length, unsigned flags,
                    unsigned next = 0, Address table = kDescriptors) {
        const Address place = table + 16 * number;
        memory.put(place, address);
        memory.put(place + 8, length);
        memory.put(place + 12, static_cast<std::uint16_t>(flags));
        memory.put(place + 14, static_cast<std::uint16_t>(next));
    }
    /// Puts the chain into the available ring.
    void offer(unsigned head, unsigned queue = 0) {
        const Address ring = kAvailable + queue * kNextQueue;
        memory.put(ring + 4 + 2 * (available[queue] % kSize), static_cast<std::uint16_t>(head));
        memory.put(ring + 2, ++available[queue]);
    }
    std::uint16_t used(unsigned queue = 0) {
        return memory.get<std::uint16_t>(kUsed + queue * kNextQueue + 2);
    }
    std::pair<std::uint32_t, std::uint32_t> used_element(unsigned place, unsigned queue = 0) {
        const Address element = kUsed + queue * kNextQueue + 4 + 8 * place;
        return {memory.get<std::uint32_t>(element), memory.get<std::uint32_t>(element + 4)};
    }
    void notify(Cycle at = 0, unsigned queue = 0) { write(virtio::kQueueNotify, queue, at); }
    /// Until nothing more changes.
    void run() {
        while (device.next_change() != kNever) {
            device.advance(device.next_change());
        }
    }

    TestMemory memory;
    LevelRecorder interrupt;
    VirtioMmio device;
    std::array<std::uint16_t, 2> available{}; ///< by queue
};

} // namespace pes::test
