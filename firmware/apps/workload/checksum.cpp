// SPDX-License-Identifier: Apache-2.0
// CRC-32 (reflected polynomial 0xEDB88320) over a block, byte by byte through a table.
#include "firmware/apps/workload/workload.h"

namespace pes::workload {

namespace {

constexpr unsigned kBytes = 32 * 1024;
uint8_t block[kBytes];
uint32_t table[256];

void make_table() {
    constexpr uint32_t kPolynomial = 0xEDB8'8320;
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t value = byte;
        for (unsigned bit = 0; bit < 8; ++bit) {
            value = (value & 1) != 0 ? value >> 1 ^ kPolynomial : value >> 1;
        }
        table[byte] = value;
    }
}

} // namespace

[[gnu::noipa]] static uint32_t crc32(uint32_t crc) {
    crc = ~crc;
    for (const uint8_t byte : block) {
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF];
    }
    return ~crc;
}

uint64_t checksum_block(unsigned rounds) {
    Sequence numbers(2);
    make_table();
    for (uint8_t& byte : block) {
        byte = static_cast<uint8_t>(numbers.next());
    }
    uint32_t crc = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        crc = crc32(crc);
    }
    return crc;
}

} // namespace pes::workload
