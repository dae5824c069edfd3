// SPDX-License-Identifier: Apache-2.0
#include "hw/common/systemc/device_module.h"
#include "hw/interface/maps/uart.h"
#include "hw/uart/uart.h"
#include "tests/unit/common/level_recorder.h"
#include "tests/unit/common/test_initiator.h"

#include <memory>
#include <string>
#include <utility>

namespace pes {
namespace {

using Changes = std::vector<test::LevelChange>;

struct Bench {
    ClockDomain clock{50'000'000};
    DeviceModule module{"uart", std::make_unique<Uart>(UartConfig{}), 1, clock, 6};
    Uart& uart = dynamic_cast<Uart&>(module.device());
    test::TestInitiator initiator{"initiator", clock};
    test::LevelRecorder recorder;
    LevelWire wire{"wire", recorder, 0};
    std::string sent;

    Bench() {
        initiator.socket.bind(module.socket());
        module.outputs[0].bind(wire);
        uart.set_output([this](std::uint8_t byte) { sent += static_cast<char>(byte); });
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
};

Bench& bench() {
    static Bench instance;
    return instance;
}

TEST(UartModule, PrintsWhatIsWrittenOverTheBus) {
    auto& b = bench();
    for (const char c : std::string("hello\n")) {
        b.initiator.write<std::uint8_t>(uart::kData, static_cast<std::uint8_t>(c));
        EXPECT_EQ(b.initiator.latency, 6U);
    }
    EXPECT_EQ(b.sent, "hello\n");
}

TEST(UartModule, InterruptLineCarriesTheCycleAfterTheAccess) {
    auto& b = bench();
    test::run_to(b.clock, 200);
    b.initiator.ahead = 3;
    b.initiator.write<std::uint8_t>(uart::kInterruptEnable, 0x01);
    b.uart.receive('a', 210);
    b.initiator.ahead = 20;
    EXPECT_EQ(b.initiator.read<std::uint8_t>(uart::kData), 'a');
    EXPECT_EQ(b.recorder.changes, (Changes{{0, true, 211}, {0, false, 221}}));
}

TEST(UartModule, AWordAccessToAByteRegisterIsABurstError) {
    std::uint32_t word = 0;
    EXPECT_EQ(bench().initiator.try_read(uart::kData, word), tlm::TLM_BURST_ERROR_RESPONSE);
}

} // namespace
} // namespace pes
