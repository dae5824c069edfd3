// SPDX-License-Identifier: Apache-2.0
// What of a double word one write transaction takes: an aligned double word, word or half word if
// that is all there is to send, else its lowest byte. [toSize64() in wt_cache_pkg.sv] Bytes of a
// double word are the bits of a mask, the lowest address in bit 0.
#pragma once

#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pes {

using ByteMask = std::uint8_t;

/// Those that a store of `size` bytes writes, as far as they lie in the double word of its address;
/// of a double word all, wherever it begins. [be_gen() in ariane_pkg.sv]
constexpr ByteMask written_bytes(Address physical, std::uint64_t size) {
    return static_cast<ByteMask>(((1U << size) - 1U) << (size == 8 ? 0 : physical & 7U));
}

/// By mask: the bytes behind the first piece, and how many pieces there are.
struct WritePieces {
    std::array<ByteMask, 256> behind_first{};
    std::array<std::uint8_t, 256> count{};
};
inline constexpr WritePieces kPieces = [] {
    WritePieces pieces;
    for (unsigned bytes = 1; bytes != 256; ++bytes) {
        pieces.behind_first[bytes] = static_cast<ByteMask>(bytes & (bytes - 1));
    }
    for (const unsigned size : {2U, 4U, 8U}) {
        for (Address offset = 0; offset != 8; offset += size) {
            pieces.behind_first[written_bytes(offset, size)] = 0;
        }
    }
    for (unsigned bytes = 1; bytes != 256; ++bytes) {
        pieces.count[bytes] = pieces.count[pieces.behind_first[bytes]] + 1;
    }
    return pieces;
}();

/// Of a double word with its lowest seven bytes.
inline constexpr unsigned kMostPieces = 7;
static_assert(*std::max_element(kPieces.count.begin(), kPieces.count.end()) == kMostPieces);

} // namespace pes
