// SPDX-License-Identifier: Apache-2.0
#include "hw/uart/uart.h"

#include "hw/common/module_logger.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/uart.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace pes {

namespace {

constexpr unsigned kRegisterCount = 8;
constexpr unsigned kFifoDepth = 16;                            // bytes
constexpr std::array<unsigned, 4> kTriggerLevels{1, 4, 8, 14}; // FCR bits 7:6

constexpr std::uint8_t kEnableReceive = 0x01; // IER
constexpr std::uint8_t kEnableTransmit = 0x02;
constexpr std::uint8_t kEnableLineStatus = 0x04;
constexpr std::uint8_t kEnableModemStatus = 0x08;
constexpr std::uint8_t kEnableBits = 0x0F;
constexpr std::uint8_t kFifoEnable = 0x01; // FCR
constexpr std::uint8_t kFifoClearReceiver = 0x02;
constexpr std::uint8_t kFifoStored = 0xC1; // enable and trigger level; the rest are pulses
constexpr unsigned kFifoTriggerShift = 6;
constexpr std::uint8_t kFifosEnabled = 0xC0; // IIR
constexpr std::uint8_t kDivisorLatch = 0x80; // LCR
constexpr std::uint8_t kOverrun = 0x02;      // LSR
constexpr std::uint8_t kDtr = 0x01;          // MCR
constexpr std::uint8_t kRts = 0x02;
constexpr std::uint8_t kOut1 = 0x04;
constexpr std::uint8_t kOut2 = 0x08;
constexpr std::uint8_t kLoopback = 0x10;
constexpr std::uint8_t kModemControlBits = 0x1F;
constexpr std::uint8_t kCts = 0x10; // MSR
constexpr std::uint8_t kDsr = 0x20;
constexpr std::uint8_t kRi = 0x40;
constexpr std::uint8_t kDcd = 0x80;

unsigned checked(unsigned stride) {
    if (stride != 1 && stride != 2 && stride != 4) {
        throw std::invalid_argument("UART: register stride " + std::to_string(stride) +
                                    ", expected 1, 2 or 4 bytes");
    }
    return stride;
}

} // namespace

Uart::Uart(const UartConfig& config)
    : registers_("uart", Address{kRegisterCount} * checked(config.stride),
                 describe(config.stride)) {}

std::vector<Register> Uart::describe(unsigned stride) {
    RegisterMap<Uart> map(*this);
    const auto reg = [&map, stride](const char* name, unsigned number) {
        return map.reg(name, Address{number} * stride)
            .width(stride == 4 ? 4 : 1)
            .low_bytes()
            .mask(0xFF);
    };
    reg("data", uart::kData).read(&Uart::read_data).peek(&Uart::peek_data).write(&Uart::write_data);
    reg("IER", uart::kInterruptEnable)
        .read(&Uart::interrupt_enable)
        .write(&Uart::write_interrupt_enable);
    reg("IIR/FCR", uart::kInterruptId)
        .read(&Uart::read_interrupt_id)
        .peek(&Uart::interrupt_id)
        .write(&Uart::write_fifo_control);
    reg("LCR", uart::kLineControl).read(&Uart::line_control_).write(&Uart::line_control_);
    reg("MCR", uart::kModemControl).read(&Uart::modem_control_).write(&Uart::write_modem_control);
    reg("LSR", uart::kLineStatus)
        .read_only()
        .read(&Uart::read_line_status)
        .peek(&Uart::line_status);
    reg("MSR", uart::kModemStatus)
        .read_only()
        .read(&Uart::read_modem_status)
        .peek(&Uart::peek_modem_status);
    reg("SCR", uart::kScratch);
    return map.take();
}

// ------------------------------------------------------------------------------------------------
// Data

bool Uart::divisor_latch() const {
    return (line_control_ & kDivisorLatch) != 0;
}

unsigned Uart::depth() const {
    return (fifo_control_ & kFifoEnable) != 0 ? kFifoDepth : 1;
}

std::uint8_t Uart::peek_data() const {
    if (divisor_latch()) {
        return static_cast<std::uint8_t>(divisor_);
    }
    return received_.empty() ? 0 : received_.front();
}

std::uint8_t Uart::read_data(Cycle at) {
    advance(at);
    const std::uint8_t value = peek_data();
    if (!divisor_latch() && !received_.empty()) {
        received_.pop_front();
        if (received_.empty()) {
            unread_.reset();
        }
        expect_input(at);
        update_interrupt(at);
    }
    return value;
}

void Uart::write_data(std::uint8_t value, Cycle at) {
    if (divisor_latch()) {
        divisor_ = static_cast<std::uint16_t>((divisor_ & 0xFF00U) | value);
        return;
    }
    if (loopback()) {
        receive(value, at);
    } else if (output_) {
        output_(value);
    }
    transmit_empty_pending_ = true; // the byte has left, the transmitter is empty again
    update_interrupt(at);
}

bool Uart::loopback() const {
    return (modem_control_ & kLoopback) != 0;
}

void Uart::set_input(ConsoleInput& input, Cycle character) {
    input_ = &input;
    character_ = character;
}

/// Where the input comes from is the platform's; what has been taken of it does not come again.
void Uart::state(Archive& archive) {
    archive(registers_, received_, interrupt_enable_, fifo_control_, line_control_, modem_control_,
            divisor_, modem_changes_, overrun_, transmit_empty_pending_, level_, lost_, listening_,
            unread_, arrival_);
    if (received_.size() > kFifoDepth) {
        archive.refuse("more bytes are received than there is room for");
    }
}

void Uart::listen(Cycle at) {
    listening_ = true;
    expect_input(at);
}

/// The last byte of the source is unread_ from the moment on in which the source has ended.
bool Uart::input_ended() const {
    return input_ == nullptr || (received_.empty() && !unread_ && input_->ended());
}

/// An empty receiver gets the next byte of the input one character time from `at` on.
void Uart::expect_input(Cycle at) {
    const bool wanted = input_ != nullptr && listening_ && received_.empty() && !loopback() &&
                        (unread_ || !input_->ended());
    if (!wanted) {
        arrival_ = kNever;
    } else if (arrival_ == kNever) {
        arrival_ = at + character_;
    }
}

void Uart::advance(Cycle now) {
    if (arrival_ > now) {
        return;
    }
    const Cycle at = std::exchange(arrival_, kNever);
    if (!unread_) {
        unread_ = input_->next();
    }
    if (unread_) {
        receive(*unread_, at);
    } else {
        expect_input(at);
    }
}

void Uart::receive(std::uint8_t byte, Cycle at) {
    if (received_.size() < depth()) {
        received_.push_back(byte);
    } else {
        overrun_ = true;
        ++lost_;
        module_logger("uart")->warn("receiver overrun, {} bytes lost so far", lost_);
        if (depth() == 1) {
            received_.front() = byte; // without the FIFO the new byte replaces the unread one
        }
    }
    update_interrupt(at);
}

// ------------------------------------------------------------------------------------------------
// Control and status

std::uint8_t Uart::interrupt_enable() const {
    return divisor_latch() ? static_cast<std::uint8_t>(divisor_ >> 8) : interrupt_enable_;
}

void Uart::write_interrupt_enable(std::uint8_t value, Cycle at) {
    if (divisor_latch()) {
        divisor_ = static_cast<std::uint16_t>(unsigned{value} << 8 | (divisor_ & 0xFFU));
        return;
    }
    advance(at);
    const unsigned newly = value & ~unsigned{interrupt_enable_};
    if ((newly & kEnableTransmit) != 0) {
        transmit_empty_pending_ =
            true; // enabling it while the transmitter is empty requests at once
    }
    interrupt_enable_ = value & kEnableBits;
    if ((interrupt_enable_ & kEnableReceive) != 0) {
        listen(at);
    }
    update_interrupt(at);
}

void Uart::write_fifo_control(std::uint8_t value, Cycle at) {
    advance(at);
    const bool switched = ((value ^ fifo_control_) & kFifoEnable) != 0;
    fifo_control_ = (value & kFifoEnable) != 0 ? value & kFifoStored : 0;
    if (switched || (value & kFifoClearReceiver) != 0) {
        received_.clear();
        expect_input(at);
    }
    update_interrupt(at);
}

// In loopback the modem outputs come back on the inputs, and the line is disconnected.
void Uart::write_modem_control(std::uint8_t value, Cycle at) {
    advance(at);
    const std::uint8_t before = modem_status();
    modem_control_ = value & kModemControlBits;
    const std::uint8_t after = modem_status();
    const unsigned changed = before ^ after;
    const unsigned ring_ended = before & ~unsigned{after} & kRi; // TERI: only the trailing edge
    modem_changes_ |= static_cast<std::uint8_t>(((changed & ~unsigned{kRi}) | ring_ended) >> 4);
    expect_input(at);
    update_interrupt(at);
}

std::uint8_t Uart::line_status() const {
    unsigned status = uart::kLineStatusTransmitEmpty | uart::kLineStatusIdle;
    status |= received_.empty() ? 0U : uart::kLineStatusDataReady;
    status |= overrun_ ? kOverrun : 0U;
    return static_cast<std::uint8_t>(status);
}

std::uint8_t Uart::modem_status() const {
    if (!loopback()) {
        return kDcd | kDsr | kCts; // the far end is always there and ready
    }
    unsigned status = 0;
    status |= (modem_control_ & kRts) != 0 ? kCts : 0U;
    status |= (modem_control_ & kDtr) != 0 ? kDsr : 0U;
    status |= (modem_control_ & kOut1) != 0 ? kRi : 0U;
    status |= (modem_control_ & kOut2) != 0 ? kDcd : 0U;
    return static_cast<std::uint8_t>(status);
}

std::uint8_t Uart::read_line_status(Cycle at) {
    advance(at);
    const std::uint8_t status = line_status();
    overrun_ = false;
    listen(at);
    update_interrupt(at);
    return status;
}

std::uint8_t Uart::peek_modem_status() const {
    return static_cast<std::uint8_t>(modem_status() | modem_changes_);
}

std::uint8_t Uart::read_modem_status(Cycle at) {
    const std::uint8_t status = peek_modem_status();
    modem_changes_ = 0;
    update_interrupt(at);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Interrupt

Uart::Cause Uart::cause() const {
    if ((interrupt_enable_ & kEnableLineStatus) != 0 && overrun_) {
        return Cause::LineStatus;
    }
    if ((interrupt_enable_ & kEnableReceive) != 0 && !received_.empty()) {
        const bool fifo = (fifo_control_ & kFifoEnable) != 0;
        const unsigned trigger = kTriggerLevels[fifo_control_ >> kFifoTriggerShift];
        return !fifo || received_.size() >= trigger ? Cause::DataAvailable : Cause::TimeOut;
    }
    if ((interrupt_enable_ & kEnableTransmit) != 0 && transmit_empty_pending_) {
        return Cause::TransmitEmpty;
    }
    if ((interrupt_enable_ & kEnableModemStatus) != 0 && modem_changes_ != 0) {
        return Cause::ModemStatus;
    }
    return Cause::None;
}

std::uint8_t Uart::interrupt_id() const {
    const unsigned fifos = (fifo_control_ & kFifoEnable) != 0 ? kFifosEnabled : 0U;
    return static_cast<std::uint8_t>(fifos | static_cast<unsigned>(cause()));
}

std::uint8_t Uart::read_interrupt_id(Cycle at) {
    advance(at);
    const std::uint8_t value = interrupt_id();
    if (cause() == Cause::TransmitEmpty) {
        transmit_empty_pending_ = false; // reading IIR is what acknowledges this cause
        update_interrupt(at);
    }
    return value;
}

void Uart::update_interrupt(Cycle at) {
    const bool level = cause() != Cause::None;
    if (level == level_) {
        return;
    }
    level_ = level;
    if (interrupt_ != nullptr) {
        interrupt_->set_level(0, level, at + 1);
    }
}

} // namespace pes
