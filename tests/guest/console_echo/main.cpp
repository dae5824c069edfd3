// SPDX-License-Identifier: Apache-2.0
// A supervisor payload that sends back what the firmware reads from the console: the first line by
// the call of SBI 0.1, the rest by the debug console if the firmware has it. Ctrl-D ends it.
#include "firmware/supervisor/sbi_call.h"

namespace {

using namespace pes;

constexpr char kEndOfText = 0x04;

char piece[16];

void put(char byte) {
    sbi_call(sbi::kLegacyPutchar, 0, static_cast<uint64_t>(byte));
}

/// The legacy call answers in a0, with -1 if there is no byte.
char get_by_legacy_call() {
    int64_t answer = -1;
    while (answer < 0) {
        answer = sbi_call(sbi::kLegacyGetchar, 0).error;
    }
    return static_cast<char>(answer);
}

bool has_debug_console() {
    return sbi_call(sbi::kBase, sbi::base::kProbeExtension, sbi::kConsole).value != 0;
}

uint64_t read_piece(bool by_debug_console) {
    if (!by_debug_console) {
        piece[0] = get_by_legacy_call();
        return 1;
    }
    return sbi_call(sbi::kConsole, sbi::console::kRead, sizeof piece,
                    reinterpret_cast<uint64_t>(&piece))
        .value;
}

/// False after Ctrl-D.
bool echo(bool by_debug_console) {
    const uint64_t bytes = read_piece(by_debug_console);
    for (uint64_t i = 0; i < bytes; ++i) {
        if (piece[i] == kEndOfText) {
            return false;
        }
        put(piece[i]);
    }
    return true;
}

} // namespace

extern "C" void payload_main() {
    char byte = 0;
    while (byte != '\n') {
        byte = get_by_legacy_call();
        put(byte);
    }
    const bool debug_console = has_debug_console();
    while (echo(debug_console)) {
    }
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown, sbi::reset::kNoReason);
    for (;;) {
        asm volatile("wfi");
    }
}
