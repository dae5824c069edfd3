// SPDX-License-Identifier: Apache-2.0
// UART, a subset of the 16550: data, FIFOs of 16 bytes, interrupts, line and modem registers,
// loopback.
//
// Timing. There is no line rate: a byte written to the transmitter leaves at once, so the
// transmitter is always empty and never blocks; a received byte is in the FIFO in the cycle it is
// given. For the same reason the character time-out of the receiver takes no time: bytes below the
// trigger level request it immediately. The interrupt line is registered: it changes in the cycle
// after the access or the reception that changed its cause.
//
// Input. The far end of the line begins when software first looks for input: it reads LSR or
// enables the receive interrupt. It sends one byte, and the next when the byte has been read, one
// character time later. A byte that software clears away with the FIFO is sent again. So input of
// any length arrives without loss, at a pace that depends on the guest alone.
//
// Divisor latch, LCR format bits and the modem outputs are stored and have no effect on the line.
#pragma once

#include "hw/common/device/console_input.h"
#include "hw/common/device/device.h"
#include "hw/common/level.h"
#include "hw/common/register_block.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace pes {

struct UartConfig {
    /// Bytes from one register to the next: 1, 2 or 4. Registers take byte accesses; with 4 also
    /// 16- and 32-bit ones, whose upper bytes read and write as zero.
    unsigned stride = 1;
};

class Uart : public Device {
  public:
    using Sink = std::function<void(std::uint8_t byte)>;

    /// Throws std::invalid_argument for another stride.
    explicit Uart(const UartConfig& config);

    RegisterBlock& registers() override { return registers_; }

    /// Receives every transmitted byte.
    void set_output(Sink output) { output_ = std::move(output); }
    /// Connects the far end of the line, which sends a byte in `character` cycles. While it has
    /// none, it is asked again after each such time.
    void set_input(ConsoleInput& input, Cycle character);
    /// Line 0 is the interrupt.
    void connect(LevelSink& lines) override { interrupt_ = &lines; }

    void advance(Cycle now) override;
    Cycle next_change() const override { return arrival_; }
    void state(Archive& archive) override;
    void resume(Cycle now) override { expect_input(now); }
    bool input_ended() const override;

    /// One byte from the line. A byte that finds the receiver full is an overrun (LSR bit 1).
    void receive(std::uint8_t byte, Cycle at);
    /// Bytes lost to overruns since reset.
    std::uint64_t lost() const { return lost_; }
    bool interrupt() const { return level_; }

  private:
    /// The cause that IIR shows, in falling priority.
    enum class Cause : std::uint8_t {
        LineStatus = 0x06,
        DataAvailable = 0x04,
        TimeOut = 0x0C,
        TransmitEmpty = 0x02,
        ModemStatus = 0x00,
        None = 0x01,
    };

    std::vector<Register> describe(unsigned stride);
    std::uint8_t read_data(Cycle at);
    std::uint8_t peek_data() const;
    void write_data(std::uint8_t value, Cycle at);
    std::uint8_t interrupt_enable() const;
    void write_interrupt_enable(std::uint8_t value, Cycle at);
    std::uint8_t interrupt_id() const;
    std::uint8_t read_interrupt_id(Cycle at);
    void write_fifo_control(std::uint8_t value, Cycle at);
    void write_modem_control(std::uint8_t value, Cycle at);
    std::uint8_t line_status() const;
    std::uint8_t read_line_status(Cycle at);
    std::uint8_t modem_status() const;
    std::uint8_t peek_modem_status() const;
    std::uint8_t read_modem_status(Cycle at);
    Cause cause() const;
    void update_interrupt(Cycle at);
    bool divisor_latch() const;
    unsigned depth() const;
    bool loopback() const;
    void listen(Cycle at);
    void expect_input(Cycle at);

    std::deque<std::uint8_t> received_;
    std::uint8_t interrupt_enable_ = 0;
    std::uint8_t fifo_control_ = 0;
    std::uint8_t line_control_ = 0;
    std::uint8_t modem_control_ = 0;
    std::uint16_t divisor_ = 0;
    std::uint8_t modem_changes_ = 0;      ///< MSR bits 3:0, cleared by reading
    bool overrun_ = false;                ///< LSR bit 1, cleared by reading
    bool transmit_empty_pending_ = false; ///< the transmitter has become empty since IIR was read
    bool level_ = false;
    std::uint64_t lost_ = 0;
    Sink output_;
    ConsoleInput* input_ = nullptr;
    Cycle character_ = 1;                ///< cycles from one byte of the input to the next
    bool listening_ = false;             ///< software has looked for input
    std::optional<std::uint8_t> unread_; ///< byte of the input that has not been read yet
    Cycle arrival_ = kNever;             ///< of the next byte of the input
    LevelSink* interrupt_ = nullptr;
    RegisterBlock registers_;
};

} // namespace pes
