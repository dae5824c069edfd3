// SPDX-License-Identifier: Apache-2.0
// Sends the file "file" of the shared folder to the console, twice, by 9P2000.L. The exit code says
// which step failed.
#include "tests/guest/bare/virtio_driver.h"

namespace pes {

namespace {

constexpr uint32_t kRootFid = 1;
constexpr uint32_t kFileFid = 2;
constexpr uint32_t kPiece = 512;

constinit VirtioDriver driver(SHARE_BASE, irq::kShareSource);
uint8_t message[256];
uint32_t length;
volatile uint8_t answer[kPiece + 64];

void number(uint64_t value, unsigned bytes) {
    for (unsigned index = 0; index < bytes; ++index) {
        message[length++] = static_cast<uint8_t>(value >> 8 * index);
    }
}

void text(const char* letters) {
    uint32_t count = 0;
    while (letters[count] != 0) {
        ++count;
    }
    number(count, 2);
    for (uint32_t index = 0; index < count; ++index) {
        message[length++] = static_cast<uint8_t>(letters[index]);
    }
}

void begin(uint8_t type) {
    length = 0;
    number(0, 4);
    number(type, 1);
    number(7, 2);
}

uint32_t word(unsigned offset) {
    return answer[offset] | uint32_t{answer[offset + 1]} << 8 | uint32_t{answer[offset + 2]} << 16 |
           uint32_t{answer[offset + 3]} << 24;
}

/// Expects an answer of the right type.
void ask(unsigned step) {
    const uint32_t size = length;
    length = 0;
    number(size, 4);
    driver.ask(message, size, answer, sizeof answer);
    expect(driver.await_interrupt() == word(0), step);
    expect(answer[4] == message[4] + 1, step + 1);
}

void open() {
    begin(100);
    number(4096, 4);
    text("9P2000.L");
    ask(10);
    begin(104);
    number(kRootFid, 4);
    number(~uint64_t{0}, 4);
    text("root");
    text("");
    number(0, 4);
    ask(12);
    begin(110);
    number(kRootFid, 4);
    number(kFileFid, 4);
    number(1, 2);
    text("file");
    ask(14);
    begin(12);
    number(kFileFid, 4);
    number(0, 4);
    ask(16);
}

void copy_to_console() {
    for (uint64_t offset = 0;;) {
        begin(116);
        number(kFileFid, 4);
        number(offset, 8);
        number(kPiece, 4);
        ask(18);
        const uint32_t bytes = word(7);
        if (bytes == 0) {
            return;
        }
        for (uint32_t index = 0; index < bytes; ++index) {
            put(static_cast<char>(answer[11 + index]));
        }
        offset += bytes;
    }
}

void clunk(uint32_t fid) {
    begin(120);
    number(fid, 4);
    ask(20);
}

} // namespace

} // namespace pes

/// Of checkpoints of tests: nothing is open here.
extern "C" [[gnu::noinline]] void closed() {
    asm volatile("" ::: "memory");
}

int main() {
    using namespace pes;
    driver.start(virtio::kFileDevice);
    driver.enable_interrupt();
    for (int turn = 0; turn < 2; ++turn) {
        open();
        copy_to_console();
        clunk(kFileFid);
        clunk(kRootFid);
        closed();
    }
    return 0;
}
