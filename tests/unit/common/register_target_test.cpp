// SPDX-License-Identifier: Apache-2.0
#include "hw/common/systemc/register_target.h"

#include "hw/common/systemc/notify_at.h"
#include "tests/unit/common/test_initiator.h"

#include <array>

namespace pes {
namespace {

constexpr Cycle kLatency = 7;

struct Bench {
    ClockDomain clock{50'000'000};
    Cycle accessed_at = kNever;
    int accesses = 0;
    RegisterBlock registers{
        "block",
        0x20,
        {{.name = "storage", .offset = 0},
         {.name = "identity", .offset = 4, .rights = RegisterRights::ReadOnly, .reset = 0x1234},
         {.name = "time",
          .offset = 8,
          .width = 8,
          .rights = RegisterRights::ReadOnly,
          .read = [](unsigned, Cycle at) { return at; }},
         {.name = "byte", .offset = 16, .width = 1}}};
    RegisterTarget target{"target", registers, clock, kLatency, [this] { ++accesses; }};
    test::TestInitiator initiator{"initiator", clock};
    sc_core::sc_event event{"event"};
    Bench() {
        initiator.socket.bind(target.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
};

Bench& bench() {
    static Bench instance;
    return instance;
}

TEST(RegisterTarget, ReadsAndWritesAreLittleEndian) {
    auto& b = bench();
    b.initiator.write<std::uint32_t>(0, 0x0403'0201);
    std::array<std::uint8_t, 4> bytes{};
    EXPECT_EQ(b.initiator.transport(tlm::TLM_READ_COMMAND, 0, bytes.data(), 4),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{1, 2, 3, 4}));
}

TEST(RegisterTarget, AddsItsLatencyToTheDelayAndHandsOverTheCycleOfTheAccess) {
    auto& b = bench();
    test::run_to(b.clock, 100);
    b.initiator.ahead = 5;
    EXPECT_EQ(b.initiator.read<std::uint64_t>(8), 105U);
    EXPECT_EQ(b.initiator.latency, kLatency);
    b.initiator.ahead = 0;
    EXPECT_EQ(b.initiator.read<std::uint64_t>(8), 100U);
}

TEST(RegisterTarget, MistakesBecomeTlmResponses) {
    auto& b = bench();
    const int before = b.accesses;
    std::uint32_t word = 0;
    std::uint16_t half = 0;
    EXPECT_EQ(b.initiator.try_read(0x1C, word), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b.initiator.try_read(0, half), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(b.initiator.try_write(4, word), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(b.accesses, before) << "a refused access did not take place";
    EXPECT_EQ(b.initiator.read<std::uint32_t>(4), 0x1234U);
    EXPECT_EQ(b.accesses, before + 1);
}

TEST(RegisterTarget, BurstsByteEnablesAndStreamingAreRefused) {
    auto& b = bench();
    std::array<std::uint8_t, 16> data{};
    EXPECT_EQ(b.initiator.transport(tlm::TLM_READ_COMMAND, 0, data.data(), 16),
              tlm::TLM_BURST_ERROR_RESPONSE);
    tlm::tlm_generic_payload payload;
    test::TestInitiator::fill(payload, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
    payload.set_streaming_width(2);
    EXPECT_EQ(b.initiator.transport(payload), tlm::TLM_BURST_ERROR_RESPONSE);
    std::array<std::uint8_t, 4> enables{0xFF, 0xFF, 0xFF, 0xFF};
    test::TestInitiator::fill(payload, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
    payload.set_byte_enable_ptr(enables.data());
    EXPECT_EQ(b.initiator.transport(payload), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST(RegisterTarget, DebugTransportReadsAndPokesStorageOnly) {
    auto& b = bench();
    std::uint32_t value = 0xCAFE;
    EXPECT_EQ(b.initiator.debug(tlm::TLM_WRITE_COMMAND, 0, &value, 4), 4U);
    value = 0;
    EXPECT_EQ(b.initiator.debug(tlm::TLM_READ_COMMAND, 0, &value, 4), 4U);
    EXPECT_EQ(value, 0xCAFEU);
    EXPECT_EQ(b.initiator.debug(tlm::TLM_WRITE_COMMAND, 4, &value, 4), 0U);
    EXPECT_EQ(b.initiator.debug(tlm::TLM_READ_COMMAND, 0x1C, &value, 4), 0U);
}

TEST(NotifyAt, ACycleThatKernelTimeNeverReachesIsNotNotified) {
    auto& b = bench();
    notify_at(b.event, b.clock, kNever);
    EXPECT_FALSE(sc_core::sc_pending_activity());
    notify_at(b.event, b.clock, b.clock.now() + 3);
    EXPECT_EQ(sc_core::sc_time_to_pending_activity(), b.clock.time_of(3));
    notify_at(b.event, b.clock, 0); // long gone: at once
    EXPECT_TRUE(sc_core::sc_pending_activity_at_current_time());
}

} // namespace
} // namespace pes
