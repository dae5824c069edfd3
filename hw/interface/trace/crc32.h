// SPDX-License-Identifier: Apache-2.0
// CRC-32 of the bytes of a trace (the one of zip, PNG and `crc32`): it tells whether the file
// beside a trace was written for that trace. Freestanding: firmware, simulator and decoder use it.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace pes::trace {

class Crc32 {
  public:
    void add(const void* data, size_t bytes) {
        const auto* next = static_cast<const uint8_t*>(data);
        const uint8_t* const end = next + bytes;
        while (next != end) {
            remainder_ = kTable.of_byte[(remainder_ ^ *next++) & 0xFF] ^ remainder_ >> 8;
        }
    }

    /// Of all bytes so far; of none it is 0.
    uint32_t value() const { return ~remainder_; }

  private:
    struct Table {
        uint32_t of_byte[256] = {};
    };

    static constexpr Table make_table() {
        constexpr uint32_t kPolynomial = 0xEDB88320; // 0x04C11DB7, lowest bit first
        Table table;
        for (uint32_t byte = 0; byte < 256; ++byte) {
            uint32_t remainder = byte;
            for (unsigned bit = 0; bit < 8; ++bit) {
                remainder = remainder >> 1 ^ ((remainder & 1) != 0 ? kPolynomial : 0);
            }
            table.of_byte[byte] = remainder;
        }
        return table;
    }

    static const Table kTable;

    uint32_t remainder_ = ~uint32_t{0};
};

inline constexpr Crc32::Table Crc32::kTable = Crc32::make_table();

} // namespace pes::trace
