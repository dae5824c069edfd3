// SPDX-License-Identifier: Apache-2.0
// Adds 1 to each byte of the second sector of the disk and sends its text to the console, as often
// as the first sector says. The exit code says which step failed.
#include "tests/guest/bare/virtio_driver.h"

namespace pes {

namespace {

constexpr uint32_t kSector = 512;

constinit VirtioDriver driver(DISK_BASE, irq::kDiskSource);
/// In front of the data: what the device reads, and behind it: what the device writes.
alignas(8) volatile struct {
    uint32_t type;
    uint32_t reserved;
    uint64_t sector;
    uint8_t data[kSector];
} request;
volatile uint8_t answer[kSector + 1];

uint8_t ask(uint32_t type, uint64_t sector, uint32_t sent, uint32_t received) {
    request.type = type;
    request.sector = sector;
    driver.ask(&request, virtio::kBlockHeaderBytes + sent, answer, received + 1);
    expect(driver.await_interrupt() == received + 1, 10);
    return answer[received];
}

} // namespace

} // namespace pes

int main() {
    using namespace pes;
    using namespace virtio;
    driver.start(kBlockDevice);
    driver.enable_interrupt();
    const uint32_t sectors = driver.read(kConfig);
    expect(ask(kBlockIn, 0, 0, kSector) == kBlockOk, 11);
    const unsigned turns = answer[0] - '0';
    for (unsigned turn = 0; turn < turns; ++turn) {
        expect(ask(kBlockIn, 1, 0, kSector) == kBlockOk, 12);
        for (uint32_t index = 0; index < kSector; ++index) {
            request.data[index] = static_cast<uint8_t>(answer[index] + 1);
        }
        expect(ask(kBlockOut, 1, kSector, 0) == kBlockOk, 13);
        expect(ask(kBlockFlushRequest, 0, 0, 0) == kBlockOk, 14);
        expect(ask(kBlockIn, 1, 0, kSector) == kBlockOk, 15);
        for (uint32_t index = 0; index < kSector; ++index) {
            put(static_cast<char>(answer[index]));
        }
    }
    expect(ask(kBlockIn, sectors, 0, kSector) == kBlockIoError, 16);
    expect(ask(kBlockOut, ~uint64_t{0}, kSector, 0) == kBlockIoError, 17);
    expect(ask(kBlockGetId, 0, 0, 20) == kBlockOk && answer[0] == 'p', 18);
    expect(ask(99, 0, 0, 0) == kBlockUnsupported, 19);
    return 0;
}
