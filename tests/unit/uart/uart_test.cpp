// SPDX-License-Identifier: Apache-2.0
// Expectations: the register description of the 16550 data sheet.
#include "hw/uart/uart.h"

#include "hw/interface/maps/uart.h"
#include "tests/unit/common/level_recorder.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace pes {
namespace {

using Changes = std::vector<test::LevelChange>;

class Driver {
  public:
    explicit Driver(const UartConfig& config = {}) : uart(config), stride_(config.stride) {
        uart.set_output([this](std::uint8_t byte) { sent += static_cast<char>(byte); });
        uart.connect(interrupt);
    }
    unsigned read(unsigned number, Cycle at = 0) {
        std::uint64_t value = 0;
        EXPECT_EQ(uart.registers().read(Address{number} * stride_, 1, value, at), AccessStatus::Ok);
        return static_cast<unsigned>(value);
    }
    void write(unsigned number, unsigned value, Cycle at = 0) {
        EXPECT_EQ(uart.registers().write(Address{number} * stride_, 1, value, at),
                  AccessStatus::Ok);
    }
    void receive(const std::string& text, Cycle at = 0) {
        for (const char c : text) {
            uart.receive(static_cast<std::uint8_t>(c), at);
        }
    }
    std::string drain() {
        std::string text;
        while ((read(uart::kLineStatus) & uart::kLineStatusDataReady) != 0) {
            text += static_cast<char>(read(uart::kData));
        }
        return text;
    }

    Uart uart;
    std::string sent;
    test::LevelRecorder interrupt;

  private:
    unsigned stride_;
};

TEST(Uart, TransmitsAtOnceAndIsAlwaysEmpty) {
    Driver d;
    std::string text(100, 'x');
    text += "y\n";
    for (const char c : text) {
        EXPECT_EQ(d.read(uart::kLineStatus), 0x60U);
        d.write(uart::kData, static_cast<unsigned char>(c));
    }
    EXPECT_EQ(d.sent, text);
}

TEST(Uart, ReceivesThroughAFifoOfSixteenBytes) {
    Driver d;
    d.write(uart::kInterruptId, 0x01);
    d.receive("0123456789abcdef");
    EXPECT_EQ(d.read(uart::kLineStatus), 0x61U);
    EXPECT_EQ(d.drain(), "0123456789abcdef");
    EXPECT_EQ(d.uart.lost(), 0U);
}

TEST(Uart, AnOverrunIsReportedOnceAndCounted) {
    Driver d;
    d.write(uart::kInterruptId, 0x01);
    d.receive("0123456789abcdefXY");
    EXPECT_EQ(d.uart.lost(), 2U);
    EXPECT_EQ(d.read(uart::kLineStatus), 0x63U);
    EXPECT_EQ(d.read(uart::kLineStatus), 0x61U) << "reading LSR clears the overrun bit";
    EXPECT_EQ(d.drain(), "0123456789abcdef") << "with the FIFO the new bytes are lost";
}

TEST(Uart, WithoutTheFifoANewByteReplacesTheUnreadOne) {
    Driver d;
    d.receive("ab");
    EXPECT_EQ(d.uart.lost(), 1U);
    EXPECT_EQ(d.drain(), "b");
}

TEST(Uart, ClearingOrSwitchingTheFifoDropsItsBytes) {
    Driver d;
    d.write(uart::kInterruptId, 0x01);
    d.receive("abc");
    d.write(uart::kInterruptId, 0x03);
    EXPECT_EQ(d.drain(), "");
    d.receive("abc");
    d.write(uart::kInterruptId, 0x00);
    EXPECT_EQ(d.drain(), "");
}

TEST(Uart, DivisorLatchHidesDataAndInterruptEnable) {
    Driver d;
    d.write(uart::kInterruptEnable, 0x05);
    d.write(uart::kLineControl, 0x83);
    d.write(uart::kData, 0x1B);
    d.write(uart::kInterruptEnable, 0x02);
    EXPECT_EQ(d.read(uart::kData), 0x1BU);
    EXPECT_EQ(d.read(uart::kInterruptEnable), 0x02U);
    EXPECT_EQ(d.sent, "");
    d.write(uart::kLineControl, 0x03);
    EXPECT_EQ(d.read(uart::kInterruptEnable), 0x05U);
    d.write(uart::kData, 'A');
    EXPECT_EQ(d.sent, "A");
}

TEST(Uart, ScratchAndControlRegistersKeepTheirValues) {
    Driver d;
    d.write(uart::kScratch, 0xA5);
    d.write(uart::kLineControl, 0x1B);
    d.write(uart::kModemControl, 0xEB);
    EXPECT_EQ(d.read(uart::kScratch), 0xA5U);
    EXPECT_EQ(d.read(uart::kLineControl), 0x1BU);
    EXPECT_EQ(d.read(uart::kModemControl), 0x0BU) << "MCR has five bits";
    d.write(uart::kInterruptEnable, 0xF0);
    EXPECT_EQ(d.read(uart::kInterruptEnable), 0U) << "IER has four bits";
}

TEST(UartInterrupt, ReceivedDataRequestsUntilTheFifoIsRead) {
    Driver d;
    d.write(uart::kInterruptEnable, 0x01);
    EXPECT_EQ(d.read(uart::kInterruptId), 0x01U) << "no interrupt pending";
    d.receive("a", 100);
    EXPECT_EQ(d.read(uart::kInterruptId, 101), 0x04U);
    EXPECT_EQ(d.read(uart::kData, 110), unsigned{'a'});
    EXPECT_EQ(d.read(uart::kInterruptId, 111), 0x01U);
    EXPECT_EQ(d.interrupt.changes, (Changes{{0, true, 101}, {0, false, 111}}));
}

TEST(UartInterrupt, BytesBelowTheTriggerLevelAreACharacterTimeOut) {
    Driver d;
    d.write(uart::kInterruptId, 0x41); // trigger level 4
    d.write(uart::kInterruptEnable, 0x01);
    d.receive("abc");
    EXPECT_EQ(d.read(uart::kInterruptId), 0xCCU);
    d.receive("d");
    EXPECT_EQ(d.read(uart::kInterruptId), 0xC4U);
    d.write(uart::kInterruptId, 0xC1); // trigger level 14
    EXPECT_EQ(d.read(uart::kInterruptId), 0xCCU);
}

TEST(UartInterrupt, EmptyTransmitterRequestsUntilIirIsRead) {
    Driver d;
    d.write(uart::kInterruptEnable, 0x02, 10);
    EXPECT_EQ(d.read(uart::kInterruptId, 20), 0x02U);
    EXPECT_EQ(d.read(uart::kInterruptId, 30), 0x01U);
    d.write(uart::kData, 'x', 40);
    EXPECT_EQ(d.read(uart::kInterruptId, 50), 0x02U);
    EXPECT_EQ(d.interrupt.changes,
              (Changes{{0, true, 11}, {0, false, 21}, {0, true, 41}, {0, false, 51}}));
}

TEST(UartInterrupt, LineStatusComesBeforeDataAndDataBeforeTheTransmitter) {
    Driver d;
    d.write(uart::kInterruptEnable, 0x07);
    d.receive("ab"); // overrun
    EXPECT_EQ(d.read(uart::kInterruptId), 0x06U);
    d.read(uart::kLineStatus);
    EXPECT_EQ(d.read(uart::kInterruptId), 0x04U);
    d.read(uart::kData);
    EXPECT_EQ(d.read(uart::kInterruptId), 0x02U);
    EXPECT_EQ(d.read(uart::kInterruptId), 0x01U);
}

TEST(UartInterrupt, ADebugReadAcknowledgesNothing) {
    Driver d;
    d.write(uart::kInterruptEnable, 0x03);
    d.receive("a");
    std::uint64_t value = 0;
    for (const unsigned number : {uart::kData, uart::kInterruptId, uart::kLineStatus}) {
        EXPECT_EQ(d.uart.registers().peek(number, 1, value, 0), AccessStatus::Ok);
    }
    EXPECT_EQ(d.read(uart::kInterruptId), 0x04U);
    EXPECT_EQ(d.drain(), "a");
    EXPECT_EQ(d.read(uart::kInterruptId), 0x02U);
}

TEST(UartModem, TheFarEndIsPresentAndReady) {
    Driver d;
    EXPECT_EQ(d.read(uart::kModemStatus), 0xB0U); // DCD, DSR, CTS
}

TEST(UartModem, LoopbackReturnsDataAndModemOutputs) {
    Driver d;
    d.write(uart::kModemControl, 0x1A);                   // loopback, OUT2, RTS
    EXPECT_EQ(d.read(uart::kModemStatus) & 0xF0U, 0x90U); // DCD, CTS
    d.write(uart::kData, 'L');
    EXPECT_EQ(d.sent, "");
    EXPECT_EQ(d.drain(), "L");
}

TEST(UartModem, ChangesRequestAnInterruptUntilMsrIsRead) {
    Driver d;
    d.write(uart::kModemControl, 0x1F); // loopback with all outputs on
    d.read(uart::kModemStatus);
    d.write(uart::kInterruptEnable, 0x08);
    EXPECT_EQ(d.read(uart::kInterruptId), 0x01U);
    d.write(uart::kModemControl, 0x1B); // OUT1 off: the ring indicator's trailing edge
    EXPECT_EQ(d.read(uart::kInterruptId), 0x00U);
    EXPECT_EQ(d.read(uart::kModemStatus), 0xB4U);
    EXPECT_EQ(d.read(uart::kModemStatus), 0xB0U);
    d.write(uart::kModemControl, 0x1F);
    EXPECT_EQ(d.read(uart::kModemStatus), 0xF0U) << "its leading edge is no change";
}

class Text : public ConsoleInput {
  public:
    explicit Text(std::string text) : text_(std::move(text)) {}
    std::optional<std::uint8_t> next() override {
        ++asked;
        if (silent || done_ == text_.size()) {
            return std::nullopt;
        }
        return static_cast<std::uint8_t>(text_[done_++]);
    }
    bool ended() override { return done_ == text_.size(); }

    bool silent = false; ///< nothing is typed at present
    unsigned asked = 0;

  private:
    std::string text_;
    std::size_t done_ = 0;
};

TEST(UartInput, AnInputOfAnyLengthArrivesWithoutLoss) {
    Driver d;
    Text input(std::string(1000, 'q'));
    d.uart.set_input(input, 10);
    std::string text;
    for (Cycle at = 0; at < 20'000; ++at) {
        if ((d.read(uart::kLineStatus, at) & uart::kLineStatusDataReady) != 0) {
            text += static_cast<char>(d.read(uart::kData, at));
        }
    }
    EXPECT_EQ(text, std::string(1000, 'q'));
    EXPECT_EQ(d.uart.lost(), 0U);
}

TEST(UartInput, BeginsWhenSoftwareLooksForItAndKeepsThePaceOfTheLine) {
    Driver d;
    Text input("ab");
    d.uart.set_input(input, 10);
    EXPECT_EQ(d.uart.next_change(), kNever);
    EXPECT_EQ(d.read(uart::kLineStatus, 5), 0x60U);
    EXPECT_EQ(d.uart.next_change(), 15U);
    EXPECT_EQ(d.read(uart::kLineStatus, 14), 0x60U);
    EXPECT_EQ(d.read(uart::kLineStatus, 15), 0x61U) << "DR";
    EXPECT_EQ(d.uart.next_change(), kNever) << "the next byte waits until this one is read";
    EXPECT_EQ(d.read(uart::kData, 100), unsigned{'a'});
    EXPECT_EQ(d.uart.next_change(), 110U);
    EXPECT_EQ(d.read(uart::kData, 110), unsigned{'b'});
    EXPECT_EQ(d.uart.next_change(), kNever) << "the input has ended";
}

TEST(UartInput, RequestsAnInterruptForEachByte) {
    Driver d;
    Text input("ab");
    d.uart.set_input(input, 10);
    d.write(uart::kInterruptId, 0x01); // FIFO, trigger level 1
    d.write(uart::kInterruptEnable, 0x01, 0);
    d.uart.advance(10);
    EXPECT_EQ(d.read(uart::kInterruptId, 12), 0xC4U) << "received data available";
    EXPECT_EQ(d.read(uart::kData, 20), unsigned{'a'});
    EXPECT_EQ(d.read(uart::kInterruptId, 21), 0xC1U) << "no interrupt pending";
    d.uart.advance(30);
    d.read(uart::kData, 40);
    EXPECT_EQ(d.interrupt.changes,
              (Changes{{0, true, 11}, {0, false, 21}, {0, true, 31}, {0, false, 41}}));
}

TEST(UartInput, AByteClearedWithTheFifoIsSentAgain) {
    Driver d;
    Text input("ab");
    d.uart.set_input(input, 10);
    d.write(uart::kInterruptId, 0x01, 0);
    d.read(uart::kLineStatus, 0);
    d.uart.advance(10);
    d.write(uart::kInterruptId, 0x03, 50); // as a driver does that starts
    EXPECT_EQ(d.read(uart::kLineStatus, 51), 0x60U);
    EXPECT_EQ(d.read(uart::kData, 52), 0U) << "nothing to throw away in a second way";
    EXPECT_EQ(d.read(uart::kLineStatus, 60), 0x61U);
    EXPECT_EQ(d.read(uart::kData, 61), unsigned{'a'});
    d.uart.advance(71);
    EXPECT_EQ(d.read(uart::kData, 80), unsigned{'b'});
}

TEST(UartInput, WaitsForTheEndOfALoopback) {
    Driver d;
    Text input("a");
    d.uart.set_input(input, 10);
    d.read(uart::kLineStatus, 0);
    d.write(uart::kModemControl, 0x10, 5);
    EXPECT_EQ(d.uart.next_change(), kNever);
    d.write(uart::kModemControl, 0x00, 20);
    EXPECT_EQ(d.uart.next_change(), 30U);
}

TEST(UartInput, AsksASilentInputAgainAfterACharacterTime) {
    Driver d;
    Text input("a");
    input.silent = true;
    d.uart.set_input(input, 10);
    d.read(uart::kLineStatus, 0);
    d.uart.advance(10);
    d.uart.advance(20);
    EXPECT_EQ(input.asked, 2U);
    input.silent = false;
    EXPECT_EQ(d.read(uart::kLineStatus, 29), 0x60U);
    EXPECT_EQ(d.read(uart::kLineStatus, 30), 0x61U);
}

TEST(UartRegisters, StrideSpreadsTheRegistersAndAllowsWordAccessesWhenItIsFour) {
    Driver narrow({.stride = 2});
    narrow.write(uart::kScratch, 0x11);
    std::uint64_t value = 0;
    EXPECT_EQ(narrow.uart.registers().read(14, 1, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 0x11U);
    EXPECT_EQ(narrow.uart.registers().read(1, 1, value, 0), AccessStatus::AddressError);

    Driver wide({.stride = 4});
    EXPECT_EQ(wide.uart.registers().write(0, 4, 0xFFFF'FF41, 0), AccessStatus::Ok);
    EXPECT_EQ(wide.sent, "A");
    EXPECT_EQ(wide.uart.registers().write(28, 4, 0xFFFF'FF22, 0), AccessStatus::Ok);
    EXPECT_EQ(wide.uart.registers().read(28, 4, value, 0), AccessStatus::Ok);
    EXPECT_EQ(value, 0x22U);
    EXPECT_EQ(wide.uart.registers().read(29, 1, value, 0), AccessStatus::AddressError);
}

TEST(UartRegisters, MistakesAreErrors) {
    Driver d;
    std::uint64_t value = 0;
    RegisterBlock& registers = d.uart.registers();
    EXPECT_EQ(registers.read(8, 1, value, 0), AccessStatus::AddressError);
    EXPECT_EQ(registers.read(0, 4, value, 0), AccessStatus::SizeError);
    EXPECT_EQ(registers.write(uart::kLineStatus, 1, 0, 0), AccessStatus::RightsError);
    EXPECT_EQ(registers.write(uart::kModemStatus, 1, 0, 0), AccessStatus::RightsError);
    EXPECT_THROW(Uart({.stride = 3}), std::invalid_argument);
    EXPECT_THROW(Uart({.stride = 0}), std::invalid_argument);
}

} // namespace
} // namespace pes
