// SPDX-License-Identifier: Apache-2.0
// The world around a sink unit, by hand: a source with messages of chosen bytes, a clock that runs
// when told, memory, probe pins, and the block that owns the unit.
#pragma once

#include "hw/interface/maps/trace.h"
#include "hw/trace/sinks/trace_sink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

namespace pes::trace::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytes_from(std::uint8_t first, std::size_t count) {
    Bytes bytes(count);
    std::iota(bytes.begin(), bytes.end(), first);
    return bytes;
}

class FakeSource : public MessageSource {
  public:
    void send(const Bytes& bytes, Cycle at) {
        Entry entry{{}, at};
        std::ranges::copy(bytes, entry.message.bytes.begin());
        entry.message.size = bytes.size();
        queue.push_back(entry);
        if (told != nullptr) {
            told->message_ready(bytes.size(), at);
        }
    }
    void flush(Cycle at) const { told->flush(at); }

    bool pull(PackedMessage& message, Cycle at) override {
        if (queue.empty() || queue.front().ready > at) {
            return false;
        }
        message = queue.front().message;
        queue.pop_front();
        return true;
    }
    bool empty() const override { return queue.empty(); }
    void set_listener(MessageListener* to) override { told = to; }
    const MessageListener* listener() const override { return told; }

    struct Entry {
        PackedMessage message;
        Cycle ready;
    };
    std::deque<Entry> queue;
    MessageListener* told = nullptr;
};

class FakeOwner : public SinkOwner {
  public:
    void stop_on_wrap(Cycle at) override { stops.push_back(at); }
    std::vector<Cycle> stops;
};

/// One wake-up may be pending; an earlier one replaces it, as with an sc_event.
class FakeClock : public SinkClock {
  public:
    void wake_at(Cycle at) override { pending = std::min(pending.value_or(kNever), at); }
    std::optional<Cycle> pending;
};

class FakeMemory : public MemoryPort {
  public:
    Answer write(Address address, std::span<const std::uint8_t> bytes) override {
        bursts.emplace_back(address, bytes.size());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            content[address + i] = bytes[i];
        }
        return {.accepted = accepts, .latency = latency};
    }
    Bytes at(Address address, std::size_t size) const {
        Bytes bytes;
        for (std::size_t i = 0; i < size; ++i) {
            bytes.push_back(content.at(address + i));
        }
        return bytes;
    }
    std::vector<std::pair<Address, std::size_t>> bursts;
    std::map<Address, std::uint8_t> content;
    bool accepts = true;
    Cycle latency = 0;
};

class FakeProbe : public ProbeOutput {
  public:
    void send(std::span<const std::uint8_t> bytes) override {
        sent.insert(sent.end(), bytes.begin(), bytes.end());
    }
    Bytes sent;
};

constexpr std::uint32_t sinks(std::initializer_list<std::uint32_t> codes) {
    std::uint32_t bits = 0;
    for (const std::uint32_t code : codes) {
        bits |= std::uint32_t{1} << code;
    }
    return bits;
}

/// A sink unit with its registers in a block of their own.
struct SinkBench {
    explicit SinkBench(const SinkConfig& config)
        : unit("sink", config, clock, &memory, &probe),
          registers("sink", trace_map::kBlockBytes, unit.registers()) {
        unit.connect(source, owner);
    }

    std::uint32_t read(Address offset) {
        std::uint64_t value = 0;
        EXPECT_EQ(registers.read(offset, 4, value, now), AccessStatus::Ok);
        return static_cast<std::uint32_t>(value);
    }
    void write(Address offset, std::uint32_t value) {
        EXPECT_EQ(registers.write(offset, 4, value, now), AccessStatus::Ok);
    }
    /// Serves every wake-up up to and including `cycle`; they are kept in `served`.
    void run_to(Cycle cycle) {
        while (clock.pending && *clock.pending <= cycle) {
            now = *clock.pending;
            clock.pending.reset();
            served.push_back(now);
            unit.serve(now);
        }
        now = cycle;
    }

    FakeSource source;
    FakeOwner owner;
    FakeClock clock;
    FakeMemory memory;
    FakeProbe probe;
    TraceSink unit;
    RegisterBlock registers;
    Cycle now = 0;
    std::vector<Cycle> served;
};

/// What surrounds a sink unit, and time.
struct SinkWorld {
    std::uint32_t read_register(RegisterBlock& block, Address offset) const {
        std::uint64_t value = 0;
        EXPECT_EQ(block.read(offset, 4, value, now), AccessStatus::Ok);
        return static_cast<std::uint32_t>(value);
    }
    void write_register(RegisterBlock& block, Address offset, std::uint32_t value) const {
        EXPECT_EQ(block.write(offset, 4, value, now), AccessStatus::Ok);
    }
    void serve(TraceSink& unit, Cycle until) {
        while (clock.pending && *clock.pending <= until) {
            now = *clock.pending;
            clock.pending.reset();
            unit.serve(now);
        }
        now = until;
    }

    FakeClock clock;
    FakeMemory memory;
    FakeProbe probe;
    Cycle now = 0;
};

} // namespace pes::trace::test
