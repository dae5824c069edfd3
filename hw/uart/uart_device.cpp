// SPDX-License-Identifier: Apache-2.0
#include "hw/uart/uart_device.h"

#include "hw/interface/maps/interrupts.h"

#include <bit>

namespace pes {
namespace {

constexpr std::uint32_t kUartHertz = 3'686'400; // the transmitter takes no time: any rate will do

} // namespace

std::unique_ptr<DeviceDescription> describe_uart() {
    return std::make_unique<UartDescription>();
}

/// CVA6 reaches its UART through a 64-to-32-bit bridge.
UartDescription::UartDescription() : DeviceDescription({0x1000'0000, 0x1000}, 2) {}

std::unique_ptr<DeviceDescription> UartDescription::copy() const {
    return std::make_unique<UartDescription>(*this);
}

const DeviceTraits& UartDescription::traits() const {
    static constexpr DeviceTraits kTraits{
        .name = "uart", .title = "UART", .narrow = true, .is_console = true};
    return kTraits;
}

std::vector<DeviceSetting> UartDescription::settings() {
    return {{.key = "stride",
             .slot = &config.stride,
             .format = Format::Power,
             .description = "bytes from one register to the next",
             .minimum = 1,
             .maximum = 4,
             .macro = "PES_UART_STRIDE"}};
}

std::vector<DeviceLine> UartDescription::lines(unsigned /*harts*/) const {
    return {{DeviceLine::To::Controller, irq::kUartSource}};
}

std::optional<TreeNode> UartDescription::node(const TreePlace& place) const {
    return TreeNode("serial", range.base)
        .text("compatible", "ns16550a")
        .range(range)
        .cells("interrupts", {irq::id_of(irq::kUartSource)})
        .cells("interrupt-parent", {place.interrupt_controller})
        .cells("clock-frequency", {kUartHertz})
        .cells("reg-shift", {static_cast<std::uint32_t>(std::countr_zero(config.stride))});
}

std::unique_ptr<Device> UartDescription::build(const DeviceHost& host) const {
    auto uart = std::make_unique<Uart>(config);
    uart->set_output(host.console);
    if (host.console_input != nullptr) {
        uart->set_input(*host.console_input, ConsoleInput::character_cycles(host.clock_hz));
    }
    return uart;
}

} // namespace pes
