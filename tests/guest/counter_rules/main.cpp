// SPDX-License-Identifier: Apache-2.0
// Rules of the counters, tried on one programmable counter in M, S and U: those of
// riscv-arch-test's test plan for Sscofpmf (testplans/priv/Sscofpmf.yaml, by its names), and those
// of Smcntrpmf and mcountinhibit. Machine mode; console and end are devices that QEMU's virt
// machine has too.
//
// Prints a line for each rule and mode. Exit code: 0, or 1 if a check does not hold.
#include "firmware/boot/mmio.h"
#include "firmware/lib/text.h"
#include "hw/interface/maps/uart.h"
#include "platform.h"
#include "tests/guest/counter_rules/check.h"

namespace pes::rules {

unsigned failures = 0;

namespace {

void put_byte(char byte) {
    const auto place = [](unsigned number) {
        return uint64_t{PES_UART_BASE} + uint64_t{number} * PES_UART_STRIDE;
    };
    while ((read_device<uint8_t>(place(uart::kLineStatus)) & uart::kLineStatusTransmitEmpty) == 0) {
    }
    write_device<uint8_t>(place(uart::kData), static_cast<uint8_t>(byte));
}

} // namespace

Group::~Group() {
    const char mode[] = {letter(mode_), '\0'};
    print(put_byte, rule_, " ", mode, " ", uint64_t{good_}, " of ", uint64_t{all_}, "\n");
    failures += all_ - good_;
}

void Group::check(bool holds, uint64_t first, uint64_t second) {
    constexpr unsigned kMostLines = 4;
    ++all_;
    if (holds) {
        ++good_;
    } else if (all_ - good_ <= kMostLines) {
        const char mode[] = {letter(mode_), '\0'};
        print(put_byte, "  not: ", rule_, " ", mode, " ", Hex{first}, " ", Hex{second}, "\n");
    }
}

} // namespace pes::rules

int main() {
    using namespace pes;
    // One region of all memory, open to S and U.
    write_csr<csr::kPmpaddr0>(~uint64_t{0} >> 10);
    write_csr<csr::kPmpcfg0>(0x1F);
    rules::filter_rules();
    rules::overflow_rules();
    rules::access_rules();
    rules::interrupt_rules();
    rules::fixed_rules();
    return rules::failures == 0 ? 0 : 1;
}
